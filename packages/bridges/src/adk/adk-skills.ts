import { assertKnownOptions } from '@repertoire/skills-core/internal';
import { bridgeOptions, type BridgeOptions, type BridgeSource } from '../view/bridge-options.ts';
import { skillView } from '../view/skill-view.ts';
import { adkSkill, type AdkSkill } from './adk-skill.ts';

/**
 * Skills for `new SkillToolset(skills)` of `@google/adk`: whole and as they are now. Every file is read; for large libraries, and for changes, give
 * `adkSkillRegistry` as the option `registry`.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist; what the source rejects with
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
  options: BridgeOptions<Context> = {},
): Promise<AdkSkill[]> {
  assertKnownOptions('adkSkills', options, bridgeOptions);
  const view = skillView('adkSkills', 'Google ADK', source, options);
  return await Promise.all((await view.getAll()).map((skill) => adkSkill(view, skill)));
}
