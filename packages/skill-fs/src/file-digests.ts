import { messageOf } from '@repertoire/skills-core/internal';
import type { Stats } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { DiskPace } from './disk-pace.ts';
import { stepsAtOnce, type DiskReader, type DiskSteps } from './disk-steps.ts';
import { hashSteps, partBuffer } from './hash-steps.ts';
import { withRegularFile } from './open-regular-file.ts';
import { loadHashing, type Hashing } from './load-hashing.ts';
import { isUnchanged, looksAsBefore, statSignature, type StatSignature } from './stat-signature.ts';

interface KnownDigest {
  readonly signature: StatSignature;
  readonly digest: string;
}

/** Digests of earlier, and what makes new ones. */
interface Ready {
  readonly known: Map<string, KnownDigest>;
  readonly hashing: Hashing;
}

/** A larger file would take a noticeable time. */
const mostBytesAtOnce = 65_536;
const fileName = 'digests-1.jsonl';
const savedAfterMs = 1_000;
const mostKept = 1_000_000;

/**
 * Digests of files, cached by what each file looked like, optionally in a folder of the host.
 * Whoever can write to that folder can make one file pass for another.
 */
export class FileDigests {
  readonly #reader: DiskReader;
  readonly #folder: string | null;
  readonly #hardLinks: 'allow' | 'refuse';
  #preparing: Promise<Ready> | null = null;
  #ready: Ready | null = null;
  readonly #buffer = new Uint8Array(mostBytesAtOnce);
  #unsaved = 0;
  #timer: NodeJS.Timeout | undefined;
  #failure: SkillDiagnostic | null = null;

  constructor(reader: DiskReader, folder: string | null, hardLinks: 'allow' | 'refuse') {
    this.#reader = reader;
    this.#folder = folder;
    this.#hardLinks = hardLinks;
  }

  /** Loads what {@link now} needs. */
  async prepare(): Promise<Ready> {
    this.#preparing ??= readKnown(this.#folder).then(async (known) => (this.#ready = { known, hashing: await loadHashing() }));
    return this.#ready ?? (await this.#preparing);
  }

  /**
   * The digest of a file that looks like `stats`.
   *
   * @param into takes the bytes, if it is as long as the file: then the file is read in any case
   * @returns `null` if it is gone, or changed since it was looked at
   */
  async of(realFile: string, stats: Stats, into?: Uint8Array): Promise<string | null> {
    const { known, hashing } = await this.prepare();
    const before = into === undefined ? digestBefore(known, realFile, stats) : undefined;
    if (before !== undefined) return before;
    const signature = statSignature(stats, Date.now());
    const steps = digestSteps(hashing, realFile, signature, this.#hardLinks, into ?? partBuffer(stats.size));
    return this.#remember(known, realFile, signature, await this.#reader.run(steps));
  }

  /** The same in this turn; `undefined` where that would take long. */
  now(realFile: string, stats: Stats, into?: Uint8Array): string | null | undefined {
    if (this.#ready === null) return undefined;
    const { known, hashing } = this.#ready;
    const before = into === undefined ? digestBefore(known, realFile, stats) : undefined;
    if (before !== undefined || stats.size > mostBytesAtOnce) return before;
    const signature = statSignature(stats, Date.now());
    const steps = digestSteps(hashing, realFile, signature, this.#hardLinks, into ?? this.#buffer);
    return this.#remember(known, realFile, signature, stepsAtOnce(steps));
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

  #remember(known: Map<string, KnownDigest>, realFile: string, signature: StatSignature, digest: string | null): string | null {
    if (digest !== null && signature.trusted && known.size < mostKept) {
      known.set(realFile, { signature, digest });
      this.#unsaved += 1;
      // Digests that are not saved are computed again, so this timer must not keep the process
      // alive.
      if (this.#folder !== null) this.#timer ??= setTimeout(() => void this.save(), savedAfterMs).unref();
    }
    return digest;
  }
}

function digestBefore(known: ReadonlyMap<string, KnownDigest>, realFile: string, stats: Stats): string | undefined {
  const before = known.get(realFile);
  return before !== undefined && isUnchanged(before.signature, stats) ? before.digest : undefined;
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

/** `null` for a file that is gone, or changed since it was looked at. */
function* digestSteps(
  hashing: Hashing,
  realFile: string,
  seen: StatSignature,
  hardLinks: 'allow' | 'refuse',
  into: Uint8Array,
): DiskSteps<string | null> {
  return yield* withRegularFile(realFile, hardLinks, function* ({ descriptor, stats }): DiskSteps<string | null> {
    if (!looksAsBefore(seen, stats)) return null;
    const { digest, length } = yield* hashSteps(hashing, descriptor, seen.size, into);
    return length === seen.size ? digest : null;
  });
}
