import fs, { type Stats } from 'node:fs';
import { isResourcePath, resourceEntry, type SkillResourceEntry } from '@repertoire/skills-core/provider';
import { compareText, compareResources } from '@repertoire/skills-core/internal';
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
  const entries: SkillResourceEntry[] = [];
  const reading = new ReadFiles(digests, limits.resourceBytes, withBytes);
  await digests?.prepare();
  await lookAtEach(shown, resourceLook(realFolder, accepts, reader, reading), pace, concurrency, signal, (found, { listed }) => {
    // Gone since the folder was read: not a file of the skill any more.
    if (found === null) return;
    const { stats, digest } = found;
    if (settings.hardLinks === 'refuse' && stats.nlink > 1) hardLinked.push(listed);
    else entries.push(resourceEntry(listed, { size: stats.size, ...(digest !== null && { digest }) }));
  });
  return {
    entries,
    files: reading.files,
    truncated: candidates.length > limits.resources,
    problems: walk.problems,
    hardLinked: hardLinked.sort(compareText),
  };
}

interface Candidate extends WalkedFile {
  readonly listed: string;
}

interface FoundFile {
  readonly stats: Stats;
  /** `null` where it has none. */
  readonly digest: string | null;
}

/**
 * Lists a skill's files, with their digests. Links are resolved; what the walk found without one is
 * inside.
 */
function resourceLook(
  realFolder: string,
  accepts: (relative: string) => boolean,
  reader: DiskReader,
  reading: ReadFiles,
): Look<Candidate, FoundFile | null> {
  const realFile = ({ name, realFolder: folder }: Candidate): string => `${folder}/${name}`;
  return {
    now: (candidate) => {
      if (candidate.linked) return undefined;
      const real = realFile(candidate);
      const stats = statsNow(real);
      return isFile(stats) ? reading.now(candidate.listed, real, stats) : null;
    },
    later: async (candidate) => {
      const target = candidate.linked ? await reader.run(resolveInside(realFolder, candidate.listed)) : null;
      if (candidate.linked && (target === null || !accepts(target.relative))) return null;
      const real = target?.real ?? realFile(candidate);
      const stats = await new Promise<Stats | undefined>((resolve) => {
        fs.lstat(real, (error, found) => resolve(error === null ? found : undefined));
      });
      return isFile(stats) ? await reading.later(candidate.listed, real, stats) : null;
    },
  };
}

function statsNow(real: string): Stats | undefined {
  try {
    return fs.lstatSync(real, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What became a link or a folder meanwhile is no file of the skill. */
function isFile(stats: Stats | undefined): stats is Stats {
  return stats?.isFile() === true;
}

/** Reads files for their digests, and keeps the bytes of some. */
class ReadFiles {
  readonly files = new Map<string, Uint8Array>();
  readonly #digests: FileDigests | null;
  readonly #maxBytes: number;
  #left: number;

  /**
   * @param maxBytes larger files have no digest
   * @param withBytes most bytes to keep
   */
  constructor(digests: FileDigests | null, maxBytes: number, withBytes: number) {
    this.#digests = digests;
    this.#maxBytes = maxBytes;
    // An empty file needs no room, and is not wanted either where none is.
    this.#left = withBytes > 0 ? withBytes : -1;
  }

  /** `undefined` for what takes longer. */
  now(listed: string, real: string, stats: Stats): FoundFile | undefined {
    if (this.#digests === null || stats.size > this.#maxBytes) return { stats, digest: null };
    const bytes = this.#room(stats.size);
    const digest = this.#digests.now(real, stats, bytes);
    if (digest !== undefined) return this.#found(listed, stats, digest, bytes);
    this.#left += bytes?.length ?? 0;
    return undefined;
  }

  async later(listed: string, real: string, stats: Stats): Promise<FoundFile> {
    if (this.#digests === null || stats.size > this.#maxBytes) return { stats, digest: null };
    const bytes = this.#room(stats.size);
    return this.#found(listed, stats, await this.#digests.of(real, stats, bytes), bytes);
  }

  #room(size: number): Uint8Array | undefined {
    if (size > this.#left) return undefined;
    this.#left -= size;
    return new Uint8Array(size);
  }

  #found(listed: string, stats: Stats, digest: string | null, bytes: Uint8Array | undefined): FoundFile {
    if (bytes !== undefined && digest !== null) this.files.set(listed, bytes);
    return { stats, digest };
  }
}
