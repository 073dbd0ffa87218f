import { isResourcePath } from '@repertoire/skills-core/provider';

/**
 * The path that a plugin-relative path means: `./bin/server` is `bin/server`, `./` is the root.
 * Section 4.1: it begins with `./` and stays inside. Where links lead is for whoever reads it to
 * find out.
 *
 * @returns `null` for a path that is none, or that climbs out
 */
export function insidePath(written: string): string | null {
  if (!written.startsWith('./') || written.includes('\\') || written.includes('\0')) return null;
  const segments: string[] = [];
  for (const segment of written.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  const path = segments.join('/');
  return path === '' || isResourcePath(path.normalize('NFC')) ? path : null;
}

/** Whether a text is a plugin-relative path that stays inside. */
export function isInsidePath(written: string): boolean {
  return insidePath(written) !== null;
}
