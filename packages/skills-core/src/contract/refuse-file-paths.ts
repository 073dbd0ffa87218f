import { SkillError } from '../errors/skill-error.ts';
import { isResourcePath, isWindowsTrick } from './resource-path.ts';

/**
 * Refuses paths of files that a source would not give back as they were written: those outside of
 * the skill, those that Windows reads as another name, and those that differ by case only, which
 * are one file on some disks.
 *
 * @param isServed what else the source demands of a path
 * @throws {SkillError} `invalid-path`
 */
export function refuseFilePaths(skill: string, paths: readonly string[], isServed: (path: string) => boolean = () => true): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const key = path.toLowerCase();
    const other = seen.get(key);
    seen.set(key, path);
    if (isResourcePath(path) && !isWindowsTrick(path) && isServed(path) && other === undefined) continue;
    const why =
      other === undefined ? 'it would not be served as a file of the skill' : `it differs from ${JSON.stringify(other)} by case only`;
    throw new SkillError('invalid-path', `${JSON.stringify(path)} cannot be written: ${why}. Take another path.`, { skill, path });
  }
}
