import { SkillError } from '@repertoire/skills-core';
import { hiddenCharacters, isWindowsTrick, skeletonOf } from '@repertoire/skills-core/internal';
import { isResourcePath } from '@repertoire/skills-core/provider';

/**
 * Refuses paths that could be more than a file of this skill: what climbs out, what some disk or
 * file system reads as another name, and what is hidden.
 *
 * @throws {SkillError} `invalid-path`
 */
export function refusePaths(paths: readonly string[], skill: string): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const why = whyRefused(path);
    if (why !== undefined) throw invalid(skill, path, why);
    // On some disks names that differ by case are one file.
    const key = keyOf(path);
    const other = seen.get(key);
    if (other !== undefined && other !== path) throw invalid(skill, path, `it differs from ${JSON.stringify(other)} by case only`);
    seen.set(key, path);
  }
  for (const path of paths) {
    const segments = path.split('/');
    const file = segments
      .slice(1)
      .map((_, index) => seen.get(keyOf(segments.slice(0, index + 1).join('/'))))
      .find((each) => each !== undefined);
    if (file !== undefined) throw invalid(skill, path, `${JSON.stringify(file)} is a file, and no folder has its name`);
  }
}

/** What disks take for one name. */
function keyOf(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function whyRefused(path: string): string | undefined {
  if (!isResourcePath(path)) return 'it is no path inside a skill';
  if (isWindowsTrick(path)) return 'some systems read it as another name';
  if (hiddenCharacters(path).length > 0 || /\p{Bidi_Control}|[\u0000-\u001F\u007F-\u009F]/u.test(path))
    return 'its name holds characters that nobody sees, or that turn the direction of writing';
  const segments = path.split('/');
  if (segments.some((segment) => segment.startsWith('.'))) return 'hidden files belong to no skill';
  if (segments.some((segment) => /^(?:node_modules|__pycache__|thumbs\.db)$/i.test(segment))) return 'such files belong to no skill';
  if (segments.at(-1)?.toLowerCase() === 'skill.md' && path !== 'SKILL.md') return 'a SKILL.md stands at the top, and is spelt so';
  if (path !== 'SKILL.md' && skeletonOf(path.normalize('NFKC')) === skeletonOf('SKILL.md'))
    return 'its name looks like SKILL.md and is spelt in other letters';
  return undefined;
}

function invalid(skill: string, path: string, why: string): SkillError {
  const shown = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
  return new SkillError('invalid-path', `The file ${shown} cannot be proposed: ${why}. Take a path such as "references/guide.md".`, {
    skill,
    path,
  });
}
