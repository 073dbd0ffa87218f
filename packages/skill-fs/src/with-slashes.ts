import path, { type PlatformPath } from 'node:path';

/**
 * The same path with `/` between folders, which is what Windows takes too.
 *
 * @param paths the rules of another system, for tests
 */
export function withSlashes(native: string, paths: PlatformPath = path): string {
  // Elsewhere a backslash is a letter like any other.
  return paths.sep === '\\' ? native.replaceAll('\\', '/') : native;
}
