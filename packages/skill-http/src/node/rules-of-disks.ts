import { isWindowsTrick } from '@repertoire/skills-core/internal';

/**
 * The first path that is not the name of a file on this system, such as a device on Windows.
 *
 * @param system another system, for tests
 */
export function notAFile(paths: Iterable<string>, system: NodeJS.Platform = process.platform): string | undefined {
  return system === 'win32' ? [...paths].find(isWindowsTrick) : undefined;
}

/** Systems whose disks keep `A.md` and `a.md` as one file, unless somebody decided otherwise. */
const ignoringCase: readonly NodeJS.Platform[] = ['win32', 'darwin'];

/**
 * Two paths that are one file on this system.
 *
 * @param system another system, for tests
 * @returns `undefined` if every path is a file of its own
 */
export function sameFile(paths: Iterable<string>, system: NodeJS.Platform = process.platform): readonly [string, string] | undefined {
  if (!ignoringCase.includes(system)) return undefined;
  const seen = new Map<string, string>();
  for (const path of paths) {
    // Upper case first: letters such as `ſ` and `s` differ in lower case alone.
    const folded = path.normalize('NFC').toUpperCase().toLowerCase();
    const other = seen.get(folded);
    if (other !== undefined) return [other, path];
    seen.set(folded, path);
  }
  return undefined;
}
