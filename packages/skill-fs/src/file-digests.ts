import { messageOf } from '@repertoire/skills-core/internal';
import type { Stats } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { DiskPace } from './disk-pace.ts';
import { disk, DiskReader, type DiskSteps, type OpenedFile } from './disk-steps.ts';
import { hashSteps, partBuffer } from './hash-steps.ts';
import { withRegularFile } from './open-regular-file.ts';
import { loadHashing, type Hashing } from './load-hashing.ts';
import { isUnchanged, looksAsBefore, statSignature, type StatSignature } from './stat-signature.ts';

interface KnownDigest {
  readonly signature: StatSignature;
  readonly digest: string;
}

/** Digests of earlier, and what makes new ones. */
export interface DigestsReady {
  readonly known: Map<string, KnownDigest>;
  readonly hashing: Hashing;
}

/** A file as it was when it was read. */
export interface DigestedFile {
  readonly stats: Stats;
  /** `null` if it is too large, has too many links, cannot be read, or changed while it was. */
  readonly digest: string | null;
  /** All of its bytes, if there was room for them. */
  readonly bytes?: Uint8Array | undefined;
}

/** Where bytes of files go that are wanted besides their digests. */
export interface BytesRoom {
  has(size: number): boolean;
  take(size: number): Uint8Array;
  giveBack(bytes: Uint8Array): void;
}

/** How a file is read. */
interface FileReading {
  /** Larger files have no digest. */
  readonly maxBytes: number;
  /** For bytes that are wanted as well. @default none are */
  readonly room?: BytesRoom | undefined;
  /** Takes a small file whose bytes are not wanted, if all steps are done in one turn. */
  readonly buffer?: Uint8Array | undefined;
}

/** A larger file would take a noticeable time. */
export const mostBytesAtOnce = 65_536;
const noBuffer = new Uint8Array(0);
const fileName = 'digests-1.jsonl';
const savedAfterMs = 1_000;
const mostKept = 1_000_000;

/**
 * Digests of files, cached by what each file looked like, optionally in a folder of the host.
 * Whoever can write to that folder can make one file pass for another.
 */
export class FileDigests {
  readonly #folder: string | null;
  readonly #hardLinks: 'allow' | 'refuse';
  #preparing: Promise<DigestsReady> | null = null;
  #ready: DigestsReady | null = null;
  #unsaved = 0;
  #timer: NodeJS.Timeout | undefined;
  #failure: SkillDiagnostic | null = null;
  /** What files looked like that were read while nobody watched them yet. */
  #noted: Map<string, StatSignature> | null = null;

  constructor(folder: string | null, hardLinks: 'allow' | 'refuse') {
    this.#folder = folder;
    this.#hardLinks = hardLinks;
  }

  /** Loads what {@link file} needs. */
  async prepare(): Promise<DigestsReady> {
    this.#preparing ??= readKnown(this.#folder).then(async (known) => (this.#ready = { known, hashing: await loadHashing() }));
    return this.#ready ?? (await this.#preparing);
  }

  /**
   * A file with its digest. One that looks as it did is not read again, unless its bytes are
   * wanted.
   *
   * @returns `null` if it is no regular file, or none any more
   */
  *file(ready: DigestsReady, realFile: string, reading: FileReading): DiskSteps<DigestedFile | null> {
    const before = ready.known.get(realFile);
    if (before !== undefined) {
      const stats = yield* lookAtFile(realFile);
      if (stats === null) return null;
      if (isUnchanged(before.signature, stats) && reading.room?.has(stats.size) !== true) {
        this.#note(realFile, before.signature);
        return { stats, digest: before.digest };
      }
    }
    const readAt = Date.now();
    // What has too many links is looked at all the same, so that it can be told of.
    const read = yield* withRegularFile(realFile, 'allow', (opened) => this.#read(ready, realFile, opened, readAt, reading));
    if (read !== null) return read;
    // It may be there, and closed to this process.
    const stats = yield* lookAtFile(realFile);
    return stats && { stats, digest: null };
  }

  /** Notes what every file looks like whose digest is told, until {@link endNoting}. */
  beginNoting(): void {
    this.#noted = new Map();
  }

  /** What was noted; nothing if nobody began. */
  endNoting(): ReadonlyMap<string, StatSignature> {
    const noted = this.#noted ?? new Map<string, StatSignature>();
    this.#noted = null;
    return noted;
  }

  /** Reports a folder that cannot be written, so that each process hashes all files again. */
  get diagnostic(): SkillDiagnostic | null {
    return this.#failure;
  }

  /** Writes new digests. A folder that cannot be written is reported. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#folder === null || this.#unsaved === 0) return;
    this.#unsaved = 0;
    const target = path.join(this.#folder, fileName);
    const temporary = `${target}.${crypto.randomUUID()}.tmp`;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(temporary, await linesOf((await this.prepare()).known), { mode: 0o600, flag: 'wx' });
      await rename(temporary, target);
      this.#failure = null;
    } catch (error) {
      this.#failure = notKept(this.#folder, error);
      await rm(temporary, { force: true }).catch(() => undefined);
    }
  }

  *#read(
    { known, hashing }: DigestsReady,
    realFile: string,
    { descriptor, stats }: OpenedFile,
    readAt: number,
    { maxBytes, room, buffer = noBuffer }: FileReading,
  ): DiskSteps<DigestedFile> {
    const { size } = stats;
    if (size > maxBytes || (this.#hardLinks === 'refuse' && stats.nlink > 1)) return { stats, digest: null };
    const signature = statSignature(stats, readAt);
    if (size > mostBytesAtOnce) yield* disk.pause();
    const bytes = room?.has(size) === true ? room.take(size) : undefined;
    const into = bytes ?? (size <= buffer.length ? buffer : partBuffer(size));
    const { digest, length } = yield* hashSteps(hashing, descriptor, size, into);
    if (length === size) return { stats, bytes, digest: this.#remember(known, realFile, signature, digest) };
    // It changed while it was read.
    if (bytes !== undefined) room?.giveBack(bytes);
    return { stats, digest: null };
  }

  /** As it was first: somebody may have kept that. */
  #note(realFile: string, signature: StatSignature): void {
    const noted = this.#noted;
    if (noted !== null && noted.size < mostKept && !noted.has(realFile)) noted.set(realFile, signature);
  }

  #remember(known: Map<string, KnownDigest>, realFile: string, signature: StatSignature, digest: string): string {
    this.#note(realFile, signature);
    if (signature.trusted && known.size < mostKept) {
      known.set(realFile, { signature, digest });
      this.#unsaved += 1;
      // Digests that are not saved are computed again, so this timer must not keep the process
      // alive.
      if (this.#folder !== null) this.#timer ??= setTimeout(() => void this.save(), savedAfterMs).unref();
    }
    return digest;
  }
}

/** Whether one of these files looks different now. */
export async function hasChanged(noted: ReadonlyMap<string, StatSignature>): Promise<boolean> {
  const reader = new DiskReader();
  for (const [file, signature] of noted) {
    const stats = await reader.run(lookAtFile(file));
    if (stats === null || !looksAsBefore(signature, stats)) return true;
  }
  return false;
}

/** What became a link or a folder meanwhile is no file of the skill. */
export function* lookAtFile(realFile: string): DiskSteps<Stats | null> {
  try {
    const stats = yield* disk.look(realFile);
    return stats?.isFile() === true ? stats : null;
  } catch {
    return null;
  }
}

function notKept(folder: string, error: unknown): SkillDiagnostic {
  return {
    code: 'digests-not-kept',
    severity: 'warning',
    path: folder,
    message: `Digests cannot be kept in ${JSON.stringify(folder)}: ${messageOf(error)}`,
    fix: 'Give a folder that this process can write, or leave `digests.folder` out. Until then, each process hashes every file again.',
  };
}

async function readKnown(folder: string | null): Promise<Map<string, KnownDigest>> {
  const known = new Map<string, KnownDigest>();
  if (folder === null) return known;
  try {
    const lines = (await readFile(path.join(folder, fileName), 'utf8')).split('\n');
    await inSlices(lines, (line) => {
      const one = line === '' ? null : knownOf(JSON.parse(line) as unknown);
      if (one !== null) known.set(...one);
    });
    return known;
  } catch {
    // Not there yet, or damaged: the files are read.
    return new Map();
  }
}

async function linesOf(known: ReadonlyMap<string, KnownDigest>): Promise<string> {
  const lines: string[] = [];
  await inSlices([...known], ([file, { signature, digest }]) => {
    const { modified, changed, size, inode, device } = signature;
    lines.push(JSON.stringify([file, modified, changed, size, inode, device, digest]));
  });
  return lines.join('\n');
}

async function inSlices<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  const pace = new DiskPace();
  for (const item of items) {
    if (pace.isSliceOver) await pace.rest();
    work(item);
  }
}

function knownOf(line: unknown): [string, KnownDigest] | null {
  if (!Array.isArray(line) || line.length !== 7) return null;
  const [file, modified, changed, size, inode, device, digest] = line as unknown[];
  const isSignature = [modified, changed, size, inode, device].every((value) => typeof value === 'number');
  if (typeof file !== 'string' || !isSignature || typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest)) return null;
  return [file, { signature: { modified, changed, size, inode, device, trusted: true } as StatSignature, digest }];
}
