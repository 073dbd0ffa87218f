import type { SkillMetadata } from '../contract/skill-provider.ts';
import { loadedSkill, loadedSkillNames, type SkillState } from '../state/skill-state.ts';
import { isTrusted } from '../skill/is-trusted.ts';

/**
 * The model that the loaded skills ask for: that of the skill loaded last among those that name one. `inherit` asks for none. A skill that the host does not
 * vouch for never chooses a model.
 */
export function modelOverride(listed: readonly SkillMetadata[], state: SkillState): string | undefined {
  return loadedSkillNames(state)
    .map((name) => skillInForce(listed, state, name))
    .filter((skill) => skill !== undefined && isTrusted(skill) && skill.model !== undefined && skill.model !== 'inherit')
    .at(-1)?.model;
}

/** Level 1 of a loaded skill, in the version that is loaded. */
export function skillInForce(listed: readonly SkillMetadata[], state: SkillState, name: string): SkillMetadata | undefined {
  const version = loadedSkill(state, name)?.version;
  const versions = listed.filter((skill) => skill.name === name);
  return versions.find((skill) => skill.version === version) ?? versions[0];
}
