import path, { type PlatformPath } from 'node:path';

/**
 * Whether a real path is a folder or lies in it. Both have to be real paths; no link is looked at
 * here.
 *
 * @param paths the rules of another system, for tests
 */
export function isInside(folder: string, target: string, paths: PlatformPath = path): boolean {
  const relative = paths.relative(folder, target);
  return relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative);
}
