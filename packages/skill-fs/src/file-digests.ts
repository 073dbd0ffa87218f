import { messageOf } from '@repertoire/skills-core/internal';
import fs, { type Stats } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { DiskPace } from './disk-pace.ts';
import { hashFile, openRegularFile } from './open-regular-file.ts';
import { isUnchanged, looksAsBefore, statSignature, type StatSignature } from './stat-signature.ts';

interface KnownDigest {
  readonly signature: StatSignature;
  readonly digest: string;
}

/** A file as it was when it was read. */
export interface DigestedFile {
  readonly stats: Stats;
  /** `null` if it is too large, has too many links, cannot be read, or changed while it was. */
  readonly digest: string | null;
  /** All of its bytes, if they were wanted. */
  readonly bytes?: Uint8Array | undefined;
}

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
  readonly #pace: DiskPace;
  readonly #known = new Map<string, KnownDigest>();
  #preparing: Promise<void> | null = null;
  #unsaved = 0;
  #timer: NodeJS.Timeout | undefined;
  #failure: SkillDiagnostic | null = null;
  /** What files looked like that were read while nobody watched them yet. */
  #noted: Map<string, StatSignature> | null = null;

  constructor(folder: string | null, hardLinks: 'allow' | 'refuse', pace: DiskPace) {
    this.#folder = folder;
    this.#hardLinks = hardLinks;
    this.#pace = pace;
  }

  /** Loads digests of earlier, which {@link file} needs. */
  async prepare(): Promise<void> {
    if (this.#folder !== null) await (this.#preparing ??= this.#readKnown(this.#folder));
  }

  /**
   * A file with its digest. One that looks as it did is not read again, unless its bytes are
   * wanted.
   *
   * @param maxBytes larger files have no digest
   * @param room bytes are returned, too, of a file that is no larger. @default of none
   * @returns `null` if it is no regular file, or none any more
   */
  async file(realFile: string, maxBytes: number, room = -1): Promise<DigestedFile | null> {
    const pace = this.#pace;
    if (pace.isSliceOver) await pace.rest();
    pace.call();
    const before = this.#known.get(realFile);
    if (before !== undefined) {
      const stats = lookAtFile(realFile);
      pace.called();
      if (stats === null) return null;
      if (isUnchanged(before.signature, stats) && stats.size > room) {
        this.#note(realFile, before.signature);
        return { stats, digest: before.digest };
      }
    }
    const readAt = Date.now();
    // What has too many links is looked at all the same, so that it can be told of.
    const opened = openRegularFile(realFile, 'allow');
    pace.called();
    if (opened === null) {
      // It may be there, and closed to this process.
      const stats = lookAtFile(realFile);
      return stats && { stats, digest: null };
    }
    const { descriptor, stats } = opened;
    try {
      const { size } = stats;
      if (size > maxBytes || (this.#hardLinks === 'refuse' && stats.nlink > 1)) return { stats, digest: null };
      const bytes = size <= room ? new Uint8Array(size) : undefined;
      const { digest, length } = await hashFile(opened, size, pace, bytes);
      // It changed while it was read.
      if (length < size) return { stats, digest: null };
      this.#remember(realFile, statSignature(stats, readAt), digest);
      return { stats, bytes, digest };
    } finally {
      fs.closeSync(descriptor);
    }
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
      await writeFile(temporary, await this.#lines(), { mode: 0o600, flag: 'wx' });
      await rename(temporary, target);
      this.#failure = null;
    } catch (error) {
      this.#failure = notKept(this.#folder, error);
      await rm(temporary, { force: true }).catch(() => undefined);
    }
  }

  /** As it was first: somebody may have kept that. */
  #note(realFile: string, signature: StatSignature): void {
    const noted = this.#noted;
    if (noted !== null && noted.size < mostKept && !noted.has(realFile)) noted.set(realFile, signature);
  }

  #remember(realFile: string, signature: StatSignature, digest: string): void {
    this.#note(realFile, signature);
    if (!signature.trusted || this.#known.size >= mostKept) return;
    this.#known.set(realFile, { signature, digest });
    this.#unsaved += 1;
    // Digests that are not saved are computed again, so this timer must not keep the process alive.
    if (this.#folder !== null) this.#timer ??= setTimeout(() => void this.save(), savedAfterMs).unref();
  }

  async #readKnown(folder: string): Promise<void> {
    try {
      await inSlices((await readFile(path.join(folder, fileName), 'utf8')).split('\n'), (line) => {
        const one = line === '' ? null : knownOf(JSON.parse(line) as unknown);
        if (one !== null) this.#known.set(...one);
      });
    } catch {
      // Not there yet, or damaged: the files are read.
      this.#known.clear();
    }
  }

  async #lines(): Promise<string> {
    const lines: string[] = [];
    await inSlices([...this.#known], ([file, { signature, digest }]) => {
      const { modified, changed, size, inode, device } = signature;
      lines.push(JSON.stringify([file, modified, changed, size, inode, device, digest]));
    });
    return lines.join('\n');
  }
}

/** Whether one of these files looks different now. */
export async function hasChanged(noted: ReadonlyMap<string, StatSignature>, pace: DiskPace): Promise<boolean> {
  for (const [file, signature] of noted) {
    if (pace.isSliceOver) await pace.rest();
    const stats = lookAtFile(file);
    if (stats === null || !looksAsBefore(signature, stats)) return true;
  }
  return false;
}

/** What became a link or a folder meanwhile is no file of the skill. */
export function lookAtFile(realFile: string): Stats | null {
  try {
    const stats = fs.lstatSync(realFile, { throwIfNoEntry: false });
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
