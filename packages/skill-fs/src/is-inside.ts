import path, { type PlatformPath } from 'node:path';

/** What no real path has. */
const oddSegment = /\/(?:\.{0,2}\/|\.{1,2}$)/;

/**
 * Whether a real path is a folder or lies in it. Both have to be real paths; no link is looked at
 * here.
 *
 * @param paths the rules of another system, for tests
 */
export function isInside(folder: string, target: string, paths: PlatformPath = path): boolean {
  // Nearly all are, and `relative` takes as long as a call of the disk.
  if (paths.sep === '/' && target.startsWith(`${folder}/`) && !oddSegment.test(target)) return true;
  const relative = paths.relative(folder, target);
  return relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative);
}
