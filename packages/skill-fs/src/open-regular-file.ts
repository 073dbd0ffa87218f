import type * as nodeCrypto from 'node:crypto';
import fs, { constants, type Stats } from 'node:fs';
import type { DiskPace } from './disk-pace.ts';

/** Follows no link, and never waits for a pipe. Windows has neither flag and neither trap. */
export const readOnlyFlags: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Error codes for what is not there, or is no readable file. */
const absent: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EMLINK',
  'EACCES',
  'EPERM',
  'EISDIR',
  'ENXIO',
  'ENODEV',
  'ENAMETOOLONG',
  'EINVAL',
]);

/** Whether an error means that there is nothing to read, rather than that reading failed. */
export function isAbsence(error: unknown): boolean {
  return absent.has((error as NodeJS.ErrnoException).code);
}

/** An open file, which whoever opened it closes. */
export interface OpenedFile {
  readonly descriptor: number;
  readonly stats: Stats;
}

/**
 * Opens a regular file by its real path, and checks that the opened file is the one at that path:
 * swapping it for a link gives nothing.
 *
 * @param hardLinks `refuse` answers `null` for a file with more than one hard link
 * @returns `null` if there is no such file, or it is no regular file
 */
export function openRegularFile(realFile: string, hardLinks: 'allow' | 'refuse'): OpenedFile | null {
  let descriptor: number;
  try {
    descriptor = fs.openSync(realFile, readOnlyFlags);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
  let opened: OpenedFile | null = null;
  try {
    const stats = fs.fstatSync(descriptor);
    const mayBeRead = stats.isFile() && (hardLinks === 'allow' || stats.nlink <= 1);
    if (mayBeRead && isAt(realFile, descriptor)) opened = { descriptor, stats };
    return opened;
  } finally {
    if (opened === null) fs.closeSync(descriptor);
  }
}

/**
 * Whether the opened file is the one at that path. The kernel of Linux knows it without a look at
 * the disk, which costs a third of what finding it out again does, and cannot be raced.
 */
function isAt(realFile: string, descriptor: number): boolean {
  const opened = openedAs(descriptor);
  if (opened === realFile) return true;
  // Folders may ignore case or ways to write a letter; any other path is that of another file.
  if (opened !== null && plain(opened) !== plain(realFile)) return false;
  // Whoever swaps a folder for a link has to win both looks.
  return isStillAt(realFile, descriptor) && isStillAt(realFile, descriptor);
}

function isStillAt(realFile: string, descriptor: number): boolean {
  try {
    if (fs.realpathSync.native(realFile) !== realFile) return false;
    // With exact numbers, to tell two files apart.
    const there = fs.lstatSync(realFile, { bigint: true });
    const stats = fs.fstatSync(descriptor, { bigint: true });
    return there.ino === stats.ino && there.dev === stats.dev;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

const plain = (path: string): string => path.normalize('NFC').toLowerCase();

/** The real path of an opened file; `null` where the system does not say so. */
function openedAs(descriptor: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    return fs.readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}

/** What is read in one call: a fraction of a millisecond. */
const partBytes = 262_144;
/** For what nobody keeps: filled and used up in one turn. */
let sharedPart: Uint8Array | undefined;

/** Reads an opened file from its start: `length` bytes, or fewer where the file ends sooner. */
export async function readStart(opened: OpenedFile, length: number, pace: DiskPace): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const filled = await readParts(opened, length, pace, bytes);
  return filled < length ? bytes.slice(0, filled) : bytes;
}

/** Bytes that were read of a file, and their digest. */
export interface HashedRead {
  /** How many were read: fewer than the file had if it shrank. */
  readonly length: number;
  /** SHA-256 in lower-case hex. */
  readonly digest: string;
}

/**
 * Hashes an opened file in parts, so that a large file blocks nobody.
 *
 * @param into takes all of its bytes. @default nobody wants them
 */
export async function hashFile(opened: OpenedFile, size: number, pace: DiskPace, into?: Uint8Array): Promise<HashedRead> {
  const { hash, createHash } = hashing();
  const bytes = into ?? (sharedPart ??= new Uint8Array(partBytes));
  const parts = size > partBytes ? createHash('sha256') : null;
  let digest: string | undefined;
  const length = await readParts(opened, size, pace, bytes, (part, filled) => {
    if (parts !== null) parts.update(part);
    // In this turn, as another file may use the part in the next. Of a small file in one call: a
    // hash object costs several times what hashing it does.
    else digest = hash('sha256', bytes.subarray(0, filled), 'hex');
  });
  return { digest: parts?.digest('hex') ?? digest ?? hash('sha256', '', 'hex'), length };
}

/**
 * Reads an opened file in parts, and answers how much there was. A small one is read in one turn.
 *
 * @param bytes takes all of them, or each part in place of the one before
 */
async function readParts(
  { descriptor }: OpenedFile,
  size: number,
  pace: DiskPace,
  bytes: Uint8Array,
  take?: (part: Uint8Array, filled: number) => void,
): Promise<number> {
  for (let length = 0; ;) {
    if (length >= size) return length;
    if (length > 0 && size > partBytes && pace.isSliceOver) await pace.rest();
    const at = bytes.length < size ? 0 : length;
    pace.call();
    const read = fs.readSync(descriptor, bytes, at, Math.min(size - length, partBytes), length);
    pace.called();
    if (read === 0) return length;
    length += read;
    take?.(bytes.subarray(at, at + read), length);
  }
}

/**
 * Late, as it takes as long as listing a hundred skills. By `import` it would take twice as long,
 * since that asks for all of its names, Web Crypto among them.
 */
function hashing(): Pick<typeof nodeCrypto, 'hash' | 'createHash'> {
  return process.getBuiltinModule('node:crypto');
}

/** All bytes of an opened small file, such as settings, at once. */
export function readAtOnce({ descriptor, stats }: OpenedFile): Uint8Array {
  const bytes = new Uint8Array(stats.size);
  let filled = 0;
  for (let read = -1; read !== 0 && filled < bytes.length; filled += read)
    read = fs.readSync(descriptor, bytes, filled, bytes.length - filled, filled);
  return bytes.subarray(0, filled);
}
