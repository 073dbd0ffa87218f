// Anything exported here is public API.
import type { SkillSearch } from '@repertoire/skills-core';
import type { OptionRules } from '@repertoire/skills-core/internal';
import { adkFrontmatter, adkSkill, type AdkFrontmatter, type AdkSkill } from './adk/adk-skill.ts';
import { bridgeOptions, type BridgeArguments, type BridgeOptions, type BridgeSource, type NeededContext } from './view/bridge-options.ts';
import { missingSkill } from './view/missing-path.ts';
import { skillView } from './view/skill-view.ts';

export type { AdkSkill } from './adk/adk-skill.ts';

/**
 * Returns skills for `new SkillToolset(skills)` of `@google/adk`: whole and as they are now. Every
 * file is read; for large libraries, and for changes, give `adkSkillRegistry` as the option
 * `registry`.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist; what the source rejects
 *   with
 * @example
 * ```ts
 * import { adkSkills, type AdkSkill } from '@repertoire/bridges/adk';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * // new SkillToolset(await skillsOf(skillset))
 * export const skillsOf = (skillset: Skillset): Promise<AdkSkill[]> => adkSkills(skillset);
 * ```
 */
export async function adkSkills<Context = undefined>(
  source: BridgeSource<Context>,
  ...[options = {}]: BridgeArguments<Context>
): Promise<AdkSkill[]> {
  const view = skillView('adkSkills', 'Google ADK', source, options);
  return await Promise.all((await view.getAll()).map((skill) => adkSkill(view, skill)));
}

/** Options of {@link adkSkillRegistry}. */
export interface AdkSkillRegistryOptions<Context> extends BridgeOptions<Context> {
  /** What finds skills, such as `createSkillSearch(provider)` of `@repertoire/skill-search`. */
  readonly search: SkillSearch;
}

const registryOptions: OptionRules<AdkSkillRegistryOptions<undefined>> = { ...bridgeOptions, search: '{}' };

/** A `SkillRegistry` of `@google/adk`. */
export interface AdkSkillRegistry {
  getSkill(name: string): Promise<AdkSkill>;
  searchSkills(query: string): Promise<AdkFrontmatter[]>;
}

/** Candidates of one search: more than are answered, since some may be hidden from this context. */
const candidates = 50;
const answered = 10;

/**
 * Offers skills as a `SkillRegistry` of the Google ADK: a model finds them by `search_skills`.
 * Candidates that the context may not see are dropped.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist; `getSkill` rejects with
 *   `skill-not-found`, both with what the source rejects with
 * @example
 * ```ts
 * import { adkSkillRegistry, type AdkSkillRegistry } from '@repertoire/bridges/adk';
 * import { createSkillSearch } from '@repertoire/skill-search';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * // new SkillToolset([], { registry: registryOf(skillset) })
 * export const registryOf = (skillset: Skillset): AdkSkillRegistry =>
 *   adkSkillRegistry(skillset, { search: createSkillSearch(skillset.provider) });
 * ```
 */
export function adkSkillRegistry<Context = undefined>(
  source: BridgeSource<Context>,
  options: AdkSkillRegistryOptions<Context> & NeededContext<Context>,
): AdkSkillRegistry {
  const view = skillView('adkSkillRegistry', 'Google ADK', source, options, registryOptions);
  return {
    async getSkill(name) {
      const skill = await view.get(name);
      if (skill === null) throw missingSkill(name);
      return await adkSkill(view, skill);
    },
    async searchSkills(query) {
      const [{ skills }, found] = await Promise.all([view.list(), options.search.search(query, { limit: candidates })]);
      const visible = new Map(skills.map((skill) => [skill.name, skill]));
      return found.candidates
        .flatMap(({ name }) => visible.get(name) ?? [])
        .slice(0, answered)
        .map(adkFrontmatter);
    },
  };
}
