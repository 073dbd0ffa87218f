import { createSkillset, type SkillProvider, type SkillSession, type Skillset } from '@repertoire/skills-core';
import { sharesPromises } from '@repertoire/skills-core/internal';
import { abortable } from '@repertoire/skills-core/provider';

/**
 * The basis of tools and prompts: two skillsets of one provider, because listing is a tool of the
 * full surface, and loading and reading belong to the small one. A session of each is cached until
 * something changes.
 */
export class ExposedSkills {
  readonly full: Skillset;
  readonly progressive: Skillset;
  readonly #keepMs: number;
  readonly #now: () => number;
  readonly #kept = new Map<Skillset, { readonly session: SkillSession | Promise<SkillSession>; readonly until: number }>();
  #changes = 0;

  /** @param keepMs how long a session may be used if the provider does not notify of changes */
  constructor(provider: SkillProvider, keepMs: number, now: () => number) {
    this.full = createSkillset({ provider, surface: { tools: 'full' } });
    this.progressive = createSkillset({ provider, surface: { unload: false }, onDiagnostic: 'silent' });
    this.#keepMs = keepMs;
    this.#now = now;
  }

  async session(skillset: Skillset, signal?: AbortSignal): Promise<SkillSession> {
    const known = this.#kept.get(skillset);
    if (known !== undefined && this.#now() < known.until) return await abortable(() => known.session, signal);
    if (!sharesPromises()) return await this.#ownSession(skillset, signal);
    const session = skillset.open();
    const kept = { session, until: this.#now() + this.#keepMs };
    this.#kept.set(skillset, kept);
    session.catch(() => {
      if (this.#kept.get(skillset) === kept) this.#kept.delete(skillset);
    });
    return await abortable(() => session, signal);
  }

  invalidate(): void {
    this.#changes += 1;
    this.#kept.clear();
  }

  /** Cached only after it has settled, so that no request waits for another one. */
  async #ownSession(skillset: Skillset, signal: AbortSignal | undefined): Promise<SkillSession> {
    const until = this.#now() + this.#keepMs;
    const changes = this.#changes;
    const session = await skillset.open({ signal });
    if (changes === this.#changes) this.#kept.set(skillset, { session, until });
    return session;
  }
}
