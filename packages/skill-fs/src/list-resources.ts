import fs, { type Stats } from 'node:fs';
import {
  compareResources,
  compareText,
  forEachBounded,
  isResourcePath,
  resourceEntry,
  type SkillResourceEntry,
} from '@repertoire/skills-core/provider';
import { lookAtEach, type Look } from './disk-pace.ts';
import type { DiskReader } from './disk-steps.ts';
import type { FileDigests } from './file-digests.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isSkillResource } from './is-skill-resource.ts';
import { resolveInside } from './resolve-inside.ts';
import { isVisibleName } from './visible-names.ts';
import { walkFolder, type WalkProblem, type WalkedFile } from './walk-folder.ts';

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
  reader: DiskReader,
  digests: FileDigests | null,
  signal: AbortSignal,
  withBytes = 0,
): Promise<ResourceList> {
  const { hiddenFiles, limits, concurrency } = settings;
  const { pace } = reader;
  const walk = await walkFolder(realFolder, realFolder, {
    depth: resourceDepth,
    maxDirectories: limits.directories,
    links: 'inside',
    boundary: realFolder,
    acceptFolder: (name) => isVisibleName(name, hiddenFiles),
    acceptFile: (name) => isVisibleName(name, hiddenFiles),
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

  const shown = candidates.slice(0, limits.resources);
  const accepts = (relative: string): boolean => isSkillResource(relative, hiddenFiles);
  const hardLinked: string[] = [];
  const files: ListedFile[] = [];
  await lookAtEach(shown, resourceLook(realFolder, accepts, reader), pace, concurrency, signal, (look, { listed }) => {
    // Gone since the folder was read: not a file of the skill any more.
    if (look === null) return;
    if (settings.hardLinks === 'refuse' && look.stats.nlink > 1) hardLinked.push(listed);
    else files.push({ listed, ...look });
  });
  const kept = new Map<string, Uint8Array>();
  const known = await digestsOf(files, digests, settings, signal, withBytes, kept);
  const entries = files.map(({ listed, stats }, index): SkillResourceEntry => {
    const digest = known[index] ?? undefined;
    return resourceEntry(listed, { size: stats.size, ...(digest !== undefined && { digest }) });
  });
  return {
    entries: entries.sort(compareResources),
    files: kept,
    truncated: candidates.length > limits.resources,
    problems: walk.problems,
    hardLinked: hardLinked.sort(compareText),
  };
}

interface Candidate extends WalkedFile {
  readonly listed: string;
}

interface FileLook {
  /** The file itself, all links followed. */
  readonly real: string;
  readonly stats: Stats;
}

interface ListedFile extends FileLook {
  readonly listed: string;
}

/** Lists a skill's files. Links are resolved; what the walk found without one is inside. */
function resourceLook(realFolder: string, accepts: (relative: string) => boolean, reader: DiskReader): Look<Candidate, FileLook | null> {
  const realFile = ({ name, realFolder: folder }: Candidate): string => `${folder}/${name}`;
  return {
    now: (candidate) => {
      if (candidate.linked) return undefined;
      try {
        return lookOf(realFile(candidate), fs.lstatSync(realFile(candidate), { throwIfNoEntry: false }));
      } catch {
        return null;
      }
    },
    later: async (candidate) => {
      const target = candidate.linked ? await reader.run(resolveInside(realFolder, candidate.listed)) : null;
      if (candidate.linked && (target === null || !accepts(target.relative))) return null;
      const real = target?.real ?? realFile(candidate);
      return await new Promise((resolve) => {
        fs.lstat(real, (error, stats) => resolve(error === null ? lookOf(real, stats) : null));
      });
    },
  };
}

/** What became a link or a folder meanwhile is no file of the skill. */
function lookOf(real: string, stats: Stats | undefined): FileLook | null {
  return stats?.isFile() === true ? { real, stats } : null;
}

async function digestsOf(
  files: readonly ListedFile[],
  digests: FileDigests | null,
  { concurrency, limits }: FileSystemSettings,
  signal: AbortSignal,
  withBytes: number,
  kept: Map<string, Uint8Array>,
): Promise<readonly (string | null)[]> {
  const known: (string | null)[] = [];
  if (digests === null) return known;
  let left = withBytes;
  const find = async ({ listed, real, stats }: ListedFile, index: number): Promise<void> => {
    known[index] = null;
    if (stats.size > limits.resourceBytes) return;
    const bytes = withBytes > 0 && stats.size <= left ? new Uint8Array(stats.size) : undefined;
    left -= bytes?.length ?? 0;
    known[index] = await digests.of(real, stats, bytes);
    if (bytes !== undefined && known[index] !== null) kept.set(listed, bytes);
  };
  await forEachBounded(files, concurrency, find, signal);
  return known;
}
