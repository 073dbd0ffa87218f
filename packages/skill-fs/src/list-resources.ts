import { compareText } from '@repertoire/skills-core/internal';
import { compareResources, isResourcePath, resourceEntry, type SkillResourceEntry } from '@repertoire/skills-core/provider';
import { lookAtEach, type Look } from './disk-pace.ts';
import { stepsUntilPause, type BegunSteps, type DiskReader, type DiskSteps } from './disk-steps.ts';
import { lookAtFile, mostBytesAtOnce, type BytesRoom, type DigestedFile, type DigestsReady, type FileDigests } from './file-digests.ts';
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
  const reading = new ReadFiles(digests, await digests?.prepare(), limits.resourceBytes, withBytes);
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

/**
 * Lists a skill's files, with their digests. Links are resolved; what the walk found without one is
 * inside.
 */
function resourceLook(
  realFolder: string,
  accepts: (relative: string) => boolean,
  reader: DiskReader,
  reading: ReadFiles,
): Look<Candidate, DigestedFile | null> {
  const realFile = ({ name, realFolder: folder }: Candidate): string => `${folder}/${name}`;
  let paused: { readonly steps: DiskSteps<DigestedFile | null>; readonly begun: BegunSteps<DigestedFile | null> } | null = null;
  return {
    now: (candidate) => {
      if (candidate.linked) return undefined;
      const steps = reading.steps(candidate.listed, realFile(candidate), true);
      const begun = stepsUntilPause(steps);
      if (begun.done === true) return begun.value;
      paused = { steps, begun };
      return undefined;
    },
    later: async (candidate) => {
      // A file stays open that was found to be large.
      const rest = paused;
      paused = null;
      if (rest !== null) return await reader.run(rest.steps, rest.begun);
      const target = candidate.linked ? await reader.run(resolveInside(realFolder, candidate.listed)) : null;
      if (candidate.linked && (target === null || !accepts(target.relative))) return null;
      return await reader.run(reading.steps(candidate.listed, target?.real ?? realFile(candidate), false));
    },
  };
}

/** For the files that are read in one turn, whose bytes nobody wants. */
const sharedBuffer = new Uint8Array(mostBytesAtOnce);

/** Reads files for their digests, and keeps the bytes of some. */
class ReadFiles implements BytesRoom {
  readonly files = new Map<string, Uint8Array>();
  readonly #digests: FileDigests | null;
  readonly #ready: DigestsReady | undefined;
  readonly #maxBytes: number;
  #left: number;

  /**
   * @param maxBytes larger files have no digest
   * @param withBytes most bytes to keep
   */
  constructor(digests: FileDigests | null, ready: DigestsReady | undefined, maxBytes: number, withBytes: number) {
    this.#digests = digests;
    this.#ready = ready;
    this.#maxBytes = maxBytes;
    // An empty file needs no room, and is not wanted either where none is.
    this.#left = withBytes > 0 ? withBytes : -1;
  }

  /** @param isAtOnce whether they are done in one turn */
  *steps(listed: string, real: string, isAtOnce: boolean): DiskSteps<DigestedFile | null> {
    if (this.#digests === null || this.#ready === undefined) {
      const stats = yield* lookAtFile(real);
      return stats && { stats, digest: null };
    }
    const buffer = isAtOnce ? sharedBuffer : undefined;
    const found = yield* this.#digests.file(this.#ready, real, { maxBytes: this.#maxBytes, room: this, buffer });
    if (found?.bytes !== undefined) this.files.set(listed, found.bytes);
    return found;
  }

  has(size: number): boolean {
    return size <= this.#left;
  }

  take(size: number): Uint8Array {
    this.#left -= size;
    return new Uint8Array(size);
  }

  giveBack({ length }: Uint8Array): void {
    this.#left += length;
  }
}
