import { SkillError } from '@repertoire/skills-core';
import { abortable, type GetSkillOptions } from '@repertoire/skills-core/provider';
import type { SkillFinder } from './find-skill.ts';
import type { IndexedSkill } from './indexed-skill.ts';
import { getEntry } from './list-by-extension.ts';
import { isNotThere } from './mcp-call.ts';
import type { McpSession, McpSessions } from './mcp-sessions.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';
import { readEntry } from './read-entry.ts';

/** What reading needs of its provider. */
export interface PromisedReaderHooks {
  readonly finder: SkillFinder;
  readonly sessions: McpSessions;
  /** The next listing is read again. */
  readonly invalidate: () => void;
  /** The server promises something else now. */
  readonly changed: () => void;
}

/** Reads what entries promise. */
export class PromisedReader {
  readonly #settings: McpSkillSettings;
  readonly #hooks: PromisedReaderHooks;

  constructor(settings: McpSkillSettings, hooks: PromisedReaderHooks) {
    this.#settings = settings;
    this.#hooks = hooks;
  }

  /** Reads something. If it is not as promised, asks for the promise again and reads by that. */
  async read<Value>(
    name: string,
    options: GetSkillOptions,
    read: (skill: IndexedSkill, at: McpSession) => Promise<Value | null>,
  ): Promise<Value | null> {
    const { signal } = options;
    const { finder, sessions, invalidate, changed } = this.#hooks;
    for (let attempt = 0; ; attempt += 1) {
      const skill = await abortable(() => finder.find(name, options), signal);
      if (skill === undefined) return null;
      const at = await sessions.connect();
      try {
        return await abortable(() => read(skill, at), signal);
      } catch (error) {
        const isMissing = isNotThere(error);
        if (!isMissing && !(SkillError.isInstance(error) && error.code === 'digest-mismatch')) throw error;
        if (skill.frontmatter === null) {
          // There is no entry to request, and the cached manifest may be outdated.
          if (isMissing) return null;
          if (attempt > 0) throw error;
          invalidate();
          continue;
        }
        if (attempt > 0 || !(await this.#isRenewed(skill, at, signal))) {
          if (isMissing) return null;
          throw error;
        }
        changed();
        // What was asked for is the content of before.
        if (options.content !== undefined) return null;
      }
    }
  }

  /** Whether the server promises something else now. */
  async #isRenewed(skill: IndexedSkill, at: McpSession, signal: AbortSignal | undefined): Promise<boolean> {
    const entry = await getEntry(at.call, skill.location.uri, signal);
    return entry === null || readEntry(entry, this.#settings).skill?.key !== skill.key;
  }
}
