import type { SkillMetadata } from '../contract/skill-provider.ts';
import { loadedSkill, type SkillState } from '../state/skill-state.ts';

/** Level 1 of a loaded skill, in the version that is loaded. */
export function skillInForce(listed: readonly SkillMetadata[], state: SkillState, name: string): SkillMetadata | undefined {
  const version = loadedSkill(state, name)?.version;
  const versions = listed.filter((skill) => skill.name === name);
  return versions.find((skill) => skill.version === version) ?? versions[0];
}
