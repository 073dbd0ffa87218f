import { isSkillFileName, isVisibleName } from './visible-names.ts';

/**
 * Whether a path may be a file of the skill: no `SKILL.md` of its own and nothing hidden. Files of
 * a nested skill belong to both. Does not look at the disk.
 *
 * @param relative path inside the skill, all links followed
 */
export function isSkillResource(relative: string, hiddenFiles: boolean): boolean {
  return !isSkillFileName(relative) && relative.split('/').every((segment) => isVisibleName(segment, hiddenFiles));
}
