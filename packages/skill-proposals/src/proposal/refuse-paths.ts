import { SkillError } from '@repertoire/skills-core';
import { isWindowsTrick } from '@repertoire/skills-core/internal';
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
    const key = path.toLowerCase();
    const other = seen.get(key);
    if (other !== undefined && other !== path) throw invalid(skill, path, `it differs from ${JSON.stringify(other)} by case only`);
    seen.set(key, path);
  }
}

function whyRefused(path: string): string | undefined {
  if (!isResourcePath(path)) return 'it is no path inside a skill';
  if (isWindowsTrick(path)) return 'some systems read it as another name';
  const segments = path.split('/');
  if (segments.some((segment) => segment.startsWith('.'))) return 'hidden files belong to no skill';
  if (segments.some((segment) => /^(?:node_modules|__pycache__|thumbs\.db)$/i.test(segment))) return 'such files belong to no skill';
  if (segments.at(-1)?.toLowerCase() === 'skill.md' && path !== 'SKILL.md') return 'a SKILL.md stands at the top, and is spelt so';
  return undefined;
}

function invalid(skill: string, path: string, why: string): SkillError {
  const shown = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
  return new SkillError('invalid-path', `The file ${shown} cannot be proposed: ${why}. Take a path such as "references/guide.md".`, {
    skill,
    path,
  });
}
