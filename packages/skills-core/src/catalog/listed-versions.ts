import type { SkillMetadata } from '../contract/skill-provider.ts';

/**
 * The listed versions of a skill, newest first. Without an index of all names: of ten thousand, one
 * takes longer to make than a hundred looks through the list.
 */
export function listedVersions(listed: readonly SkillMetadata[], name: string): readonly SkillMetadata[] {
  return listed.filter((skill) => skill.name === name);
}
