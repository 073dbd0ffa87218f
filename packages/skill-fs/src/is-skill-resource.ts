import { isSkillFileName, isVisibleName } from './visible-names.ts';

/**
 * Whether a path inside a skill may be one of its files: not its own `SKILL.md` in any spelling,
 * and nothing hidden. The files of a skill that lies inside it are files of both. Says nothing of
 * whether there is such a file.
 *
 * @param relative path inside the skill, all links followed
 */
export function isSkillResource(relative: string, hiddenFiles: boolean): boolean {
  return !isSkillFileName(relative) && relative.split('/').every((segment) => isVisibleName(segment, hiddenFiles));
}
