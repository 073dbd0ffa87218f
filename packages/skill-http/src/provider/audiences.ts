import { createAudienceSpace, type AudienceSpace, type SharedMemory } from './audience-space.ts';
import type { Caller } from './caller.ts';
import type { HttpSkillSettings } from './http-skill-provider-options.ts';

/** Each has an index of its own in memory. */
const maxAudiences = 100;

/** Keeps apart what was read for different audiences. */
export class Audiences {
  readonly #settings: HttpSkillSettings;
  readonly #memory: SharedMemory;
  /** Used longest ago first. */
  readonly #spaces = new Map<string, AudienceSpace>();

  constructor(settings: HttpSkillSettings, memory: SharedMemory) {
    this.#settings = settings;
    this.#memory = memory;
  }

  /** The space of a caller. */
  of(caller: Caller): AudienceSpace {
    const known = this.#spaces.get(caller.key);
    const space = known ?? createAudienceSpace(this.#settings, this.#memory, caller);
    space.adopt(caller);
    this.#spaces.delete(caller.key);
    this.#spaces.set(caller.key, space);
    if (this.#spaces.size > maxAudiences) this.#forgetOne();
    return space;
  }

  /** Ends everything that is under way. */
  abort(reason: unknown): void {
    for (const { flights } of this.#spaces.values()) flights.abort(reason);
    this.#spaces.clear();
    this.#memory.artifacts.clear();
    this.#memory.documents.clear();
  }

  #forgetOne(): void {
    for (const [key, { flights }] of this.#spaces) {
      // What is under way has callers who wait for it.
      if (!flights.isIdle) continue;
      this.#spaces.delete(key);
      return;
    }
  }
}
