import type { SkillMetadata } from '../../contract/skill-provider.ts';

/**
 * Filters a listing so that what stays can be got of the provider that listed it. To ask for no version is to ask for the newest; so once the newer versions of a
 * name are gone, a skill of that name without a version cannot be asked for, and goes with them.
 */
export function filterSkills(listed: readonly SkillMetadata[], shows: (skill: SkillMetadata, index: number) => boolean): SkillMetadata[] {
  const shown = new Set<string>();
  const hidden = new Set<string>();
  return listed.filter((skill, index) => {
    const reachable = skill.version !== undefined || shown.has(skill.name) || !hidden.has(skill.name);
    const stays = reachable && shows(skill, index);
    (stays ? shown : hidden).add(skill.name);
    return stays;
  });
}
