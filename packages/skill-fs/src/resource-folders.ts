import { realpath } from 'node:fs/promises';
import type { DiscoveredRoot } from './discover-skill-files.ts';
import type { DiskPace } from './disk-pace.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isInside } from './is-inside.ts';
import type { StatSignature } from './stat-signature.ts';
import { isVisibleName } from './visible-names.ts';
import { walkFolders, type LeftFolder } from './walk-folder.ts';

/**
 * Finds the folders of resources, which only watchers need. Unreadable folders are ignored: loading
 * the skill reports them.
 *
 * @returns the look of every folder, by absolute path
 */
export async function lookIntoResources(
  folders: readonly LeftFolder[],
  boundary: string,
  { limits, links, hiddenFiles }: FileSystemSettings,
  pace: DiskPace,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, StatSignature | null>> {
  const known: { absolute: string; real: string }[] = [];
  for (const { absolute, real } of folders) {
    const found = real ?? (await realpath(absolute).catch(() => null));
    if (found !== null && (links === 'all' || isInside(boundary, found))) known.push({ absolute, real: found });
  }
  const walk = await walkFolders(known, {
    depth: limits.depth,
    maxDirectories: limits.directories,
    links: 'none',
    boundary,
    acceptFolder: (name) => isVisibleName(name, hiddenFiles),
    acceptFile: () => false,
    signed: true,
    signal,
    pace,
  });
  return walk.directories;
}

/** Every folder that a change may come to, as far as known. */
export function* foldersOf({
  directories,
  resources,
}: DiscoveredRoot): Generator<readonly [path: string, signature: StatSignature | null]> {
  yield* directories;
  if (resources !== null) yield* resources;
}
