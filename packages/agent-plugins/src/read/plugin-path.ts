import { isResourcePath } from '@repertoire/skills-core/provider';

/**
 * The path that a plugin-relative path means: `./bin/server` is `bin/server`, `./` is the root. It
 * must begin with `./` and stay inside (section 4.1). Links are not resolved here.
 *
 * @returns `null` for an invalid path, and for one that climbs out
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
