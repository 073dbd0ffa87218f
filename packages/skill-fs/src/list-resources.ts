import { compareText } from '@repertoire/skills-core/internal';
import {
  compareResources,
  isResourcePath,
  resourceEntry,
  skillDigestFromFileDigests,
  type SkillResourceEntry,
} from '@repertoire/skills-core/provider';
import type { DiskPace } from './disk-pace.ts';
import { lookAtFile, type FileDigests } from './file-digests.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { resolveInside } from './inside.ts';
import { isSkillResource, isVisibleName } from './visible-names.ts';
import { walkFolders, type WalkProblem } from './walk-folder.ts';

const resourceDepth = 32;

/** The files of a skill, whether there are more of them, and what could not be looked into. */
export interface ResourceList {
  readonly entries: SkillResourceEntry[];
  /** Bytes of files that were read for their digest, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly truncated: boolean;
  readonly problems: readonly WalkProblem[];
  /** Paths of files that are left out because they have more than one hard link. */
  readonly hardLinked: readonly string[];
}

/**
 * Lists the files of a skill, without hidden ones and links to the outside. Files of nested skills
 * are among them.
 *
 * @param realFolder the skill's folder, by its real path
 * @param withBytes most bytes of files to return
 */
export async function listResources(
  realFolder: string,
  settings: FileSystemSettings,
  pace: DiskPace,
  digests: FileDigests | null,
  signal: AbortSignal,
  withBytes = 0,
): Promise<ResourceList> {
  const { hiddenFiles, limits } = settings;
  const accept = (name: string): boolean => isVisibleName(name, hiddenFiles);
  const walk = await walkFolders([{ absolute: realFolder, real: realFolder }], {
    depth: resourceDepth,
    maxDirectories: limits.directories,
    links: 'inside',
    boundary: realFolder,
    acceptFolder: accept,
    acceptFile: accept,
    signal,
    pace,
  });
  const seen = new Set<string>();
  const candidates = walk.files
    .map((file) => ({ ...file, listed: file.path.normalize('NFC') }))
    .filter(({ listed }) => isResourcePath(listed) && isSkillResource(listed, hiddenFiles))
    // Spelled in NFC first: of two names that only differ in it, that is the one a read finds.
    .sort((a, b) => Number(a.path !== a.listed) - Number(b.path !== b.listed))
    .filter(({ listed }) => !seen.has(listed) && seen.add(listed))
    .sort((a, b) => compareResources({ path: a.listed }, { path: b.listed }));

  const hardLinked: string[] = [];
  const entries: SkillResourceEntry[] = [];
  const files = new Map<string, Uint8Array>();
  // An empty file needs no room, and is not wanted either where none is.
  let room = withBytes > 0 ? withBytes : -1;
  await digests?.prepare();
  for (const { listed, linked, name, realFolder: folder } of candidates.slice(0, limits.resources)) {
    if (pace.isSliceOver) await pace.restInScan(signal);
    // Links are resolved; what the walk found without one is inside.
    const target = linked ? resolveInside(realFolder, listed) : null;
    if (linked && (target === null || !isSkillResource(target.relative, hiddenFiles))) continue;
    const real = target?.real ?? `${folder}/${name}`;
    const stats = digests === null ? lookAtFile(real) : null;
    const found =
      digests === null ? stats && { stats, digest: null, bytes: undefined } : await digests.file(real, limits.resourceBytes, room);
    // Gone since the folder was read: not a file of the skill any more.
    if (found === null) continue;
    const { bytes, digest } = found;
    if (bytes !== undefined) {
      room -= bytes.length;
      files.set(listed, bytes);
    }
    if (settings.hardLinks === 'refuse' && found.stats.nlink > 1) hardLinked.push(listed);
    else entries.push(resourceEntry(listed, { size: found.stats.size, ...(digest !== null && { digest }) }));
  }
  return {
    entries,
    files,
    truncated: candidates.length > limits.resources,
    problems: walk.problems,
    hardLinked: hardLinked.sort(compareText),
  };
}

/** The content of a skill from the digests of its files; `undefined` where one has none. */
export async function contentOf(main: string, resources: readonly SkillResourceEntry[]): Promise<string | undefined> {
  const digests: Record<string, string> = { 'SKILL.md': main };
  for (const { path, digest } of resources) {
    if (digest === undefined) return undefined;
    digests[path] = digest;
  }
  return await skillDigestFromFileDigests(digests);
}
