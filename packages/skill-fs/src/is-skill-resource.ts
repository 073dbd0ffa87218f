import { isSkillFileName, isVisibleName } from './visible-names.ts';

/**
 * Whether a path inside a skill may be one of its files: not `SKILL.md` itself in any spelling, nothing hidden, nothing of a skill that lies inside
 * it. Says nothing of whether there is such a file.
 *
 * @param relative path inside the skill, all links followed
 */
export function isSkillResource(relative: string, realFolder: string, skillFolders: ReadonlySet<string>, hiddenFiles: boolean): boolean {
  if (isSkillFileName(relative)) return false;
  const segments = relative.split('/');
  if (!segments.every((segment) => isVisibleName(segment, hiddenFiles))) return false;
  let folder = realFolder;
  return segments.slice(0, -1).every((segment) => {
    folder += `/${segment}`;
    return !skillFolders.has(folder);
  });
}
