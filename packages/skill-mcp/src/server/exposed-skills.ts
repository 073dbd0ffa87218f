import { createSkillset, type SkillCatalog, type SkillProvider, type Skillset } from '@repertoire/skills-core';
import { abortable, sharesPromises } from '@repertoire/skills-core/provider';

/**
 * What tools and prompts are made of: two skillsets of one provider, as listing is a tool of the full surface and loading and reading are of the small one; and their catalogs,
 * which are kept until something changes, since making one takes long where there are many skills.
 */
export class ExposedSkills {
  readonly full: Skillset;
  readonly progressive: Skillset;
  readonly #keepMs: number;
  readonly #now: () => number;
  readonly #kept = new Map<
    Skillset,
    { readonly catalog: SkillCatalog<undefined> | Promise<SkillCatalog<undefined>>; readonly until: number }
  >();
  #changes = 0;

  /** @param keepMs how long a catalog may be used where nobody tells of changes */
  constructor(provider: SkillProvider, keepMs: number, now: () => number) {
    this.full = createSkillset({ provider, surface: 'full' });
    this.progressive = createSkillset({ provider, unload: false });
    this.#keepMs = keepMs;
    this.#now = now;
  }

  async catalog(skillset: Skillset, signal?: AbortSignal): Promise<SkillCatalog<undefined>> {
    const known = this.#kept.get(skillset);
    if (known !== undefined && this.#now() < known.until) return await abortable(() => known.catalog, signal);
    if (!sharesPromises()) return await this.#ownCatalog(skillset, signal);
    const catalog = skillset.catalog();
    const kept = { catalog, until: this.#now() + this.#keepMs };
    this.#kept.set(skillset, kept);
    catalog.catch(() => {
      if (this.#kept.get(skillset) === kept) this.#kept.delete(skillset);
    });
    return await abortable(() => catalog, signal);
  }

  invalidate(): void {
    this.#changes += 1;
    this.#kept.clear();
  }

  /** Kept once it is there, so that nobody waits for another's. */
  async #ownCatalog(skillset: Skillset, signal: AbortSignal | undefined): Promise<SkillCatalog<undefined>> {
    const until = this.#now() + this.#keepMs;
    const changes = this.#changes;
    const catalog = await skillset.catalog({ signal });
    if (changes === this.#changes) this.#kept.set(skillset, { catalog, until });
    return catalog;
  }
}
