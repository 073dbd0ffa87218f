import path from 'node:path';

/** The same path with `/` between folders, which is what Windows takes too. */
export function withSlashes(native: string): string {
  // Elsewhere a backslash is a letter like any other.
  return path.sep === '\\' ? native.replaceAll('\\', '/') : native;
}
