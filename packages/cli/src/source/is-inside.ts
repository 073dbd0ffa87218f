import path, { type PlatformPath } from 'node:path';

/**
 * Whether a path is a folder or lies in it. Both by their real paths; names in different Unicode
 * normal forms are the same.
 *
 * @param paths the rules of another system, for tests
 */
export function isInside(folder: string, file: string, paths: PlatformPath = path): boolean {
  const relative = paths.relative(folder.normalize('NFC'), file.normalize('NFC'));
  return relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative);
}
