import { realpath } from 'node:fs/promises';
import type { DiscoveredRoot } from './discover-skill-files.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isInside } from './is-inside.ts';
import type { StatSignature } from './stat-signature.ts';
import { isVisibleName } from './visible-names.ts';
import { walkFolder } from './walk-folder.ts';
import { withSlashes } from './with-slashes.ts';

/**
 * Looks into the folders of resources that the search for skills leaves out. Only whoever watches has to know them: to be told of a file that comes or goes there. A folder that
 * cannot be read is one of which nothing is told; loading its skill says why.
 *
 * @param folders absolute paths of folders, and of links to some
 * @returns every folder that was looked into, by absolute path, as it was just before
 */
export async function lookIntoResources(
  folders: readonly string[],
  boundary: string,
  { limits, links, hiddenFiles }: FileSystemSettings,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, StatSignature | null>> {
  const found = new Map<string, StatSignature | null>();
  for (const folder of folders) {
    const left = limits.directories - found.size;
    const real = await realpath(folder).catch(() => null);
    if (real === null || left <= 0 || !(links === 'all' || isInside(boundary, real))) continue;
    const walk = await walkFolder(folder, withSlashes(real), {
      depth: limits.depth,
      maxDirectories: left,
      links: 'none',
      boundary,
      acceptFolder: (name) => isVisibleName(name, hiddenFiles),
      acceptFile: () => false,
      signed: true,
      signal,
    });
    for (const [path, signature] of walk.directories) found.set(path, signature);
  }
  return found;
}

/** Every folder that a change may come to: those that were searched, and those of resources where they are known. */
export function* foldersOf({
  directories,
  resources,
}: DiscoveredRoot): Generator<readonly [path: string, signature: StatSignature | null]> {
  yield* directories;
  if (resources !== null) yield* resources;
}
