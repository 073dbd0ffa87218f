import { SkillError } from '@repertoire/skills-core';
import { abortable } from '@repertoire/skills-core/provider';
import { createAudienceSpace, type AudienceSpace, type SharedMemory } from './audience-space.ts';
import { callerOf } from './caller.ts';
import type { HttpSkillSettings } from './http-skill-provider-options.ts';

/** Each has an index of its own in memory. */
const maxAudiences = 100;

/** Keeps apart what was read for different audiences. */
export class Audiences {
  readonly #settings: HttpSkillSettings;
  readonly #memory: SharedMemory;
  /** Used longest ago first. */
  readonly #spaces = new Map<string, AudienceSpace>();
  #closed = false;

  constructor(settings: HttpSkillSettings, memory: SharedMemory) {
    this.#settings = settings;
    this.#memory = memory;
  }

  /** The space of whoever calls. @throws {SkillError} `source-unavailable`, also after `close` */
  async current(signal: AbortSignal | undefined): Promise<AudienceSpace> {
    signal?.throwIfAborted();
    if (this.#closed) throw this.#disposed();
    const caller = await abortable(() => callerOf(this.#settings), signal);
    if (this.#closed) throw this.#disposed();
    const known = this.#spaces.get(caller.key);
    const space = known ?? createAudienceSpace(this.#settings, this.#memory, caller);
    space.adopt(caller);
    this.#spaces.delete(caller.key);
    this.#spaces.set(caller.key, space);
    if (this.#spaces.size > maxAudiences) this.#forgetOne();
    return space;
  }

  /** Ends everything that is under way. */
  close(): void {
    this.#closed = true;
    for (const { flights } of this.#spaces.values()) flights.abort(this.#disposed());
    this.#spaces.clear();
    this.#memory.artifacts.clear();
    this.#memory.documents.clear();
  }

  #disposed(): SkillError {
    const { label } = this.#settings;
    return new SkillError('source-unavailable', `[skill-http] Source "${label}" was disposed. Make a new one with httpSkillProvider.`, {
      source: label,
    });
  }

  #forgetOne(): void {
    for (const [key, { flights }] of this.#spaces) {
      // A space with running requests has callers who wait for them.
      if (!flights.isIdle) continue;
      this.#spaces.delete(key);
      return;
    }
  }
}
