import type { SkillMetadata } from '../contract/skill-provider.ts';
import { loadedSkillNames, type SkillState } from '../state/skill-state.ts';
import { skillInForce } from './skill-in-force.ts';
import { isTrusted } from '../contract/is-trusted.ts';

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
