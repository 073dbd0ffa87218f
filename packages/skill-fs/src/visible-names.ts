/** Where a write prepares what it puts into place, at the top of a root. */
export const writeFolder = '.repertoire';

/** Never part of a skill: temporary files, version control, dependencies, caches. */
const neverVisible: ReadonlySet<string> = new Set([
  writeFolder,
  '.git',
  '.hg',
  '.svn',
  '.ds_store',
  'node_modules',
  '__pycache__',
  'thumbs.db',
]);

/** Whether a file or folder of this name can be part of a skill at all. */
export function isVisibleName(name: string, hiddenFiles: boolean): boolean {
  if (name.startsWith('.') && !hiddenFiles) return false;
  // Folded, because `.GIT` is `.git` on a file system that ignores case.
  return !neverVisible.has(name.toLowerCase());
}

/** The card of a skill, which is its manifest where no `SKILL.md` lies beside it. */
export const cardFileName = 'skill-card.json';

/** Whether a file is what a skill is made of: `SKILL.md`, or leniently the same in other case. */
export function isSkillFileName(name: string): boolean {
  return name.length === 8 && name.toLowerCase() === 'skill.md';
}

/**
 * Whether a path may be a file of the skill: no `SKILL.md` of its own and nothing hidden. Files of
 * a nested skill belong to both. Does not look at the disk.
 *
 * @param relative path inside the skill, all links followed
 */
export function isSkillResource(relative: string, hiddenFiles: boolean): boolean {
  return !isSkillFileName(relative) && relative.split('/').every((segment) => isVisibleName(segment, hiddenFiles));
}
