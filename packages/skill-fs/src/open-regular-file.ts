import fs, { constants } from 'node:fs';
import { disk, type DiskSteps, type OpenedFile } from './disk-steps.ts';

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

/**
 * Opens a regular file by its real path, and checks that the opened file is the one at that path:
 * swapping it for a link gives nothing. Closed after the work.
 *
 * @param hardLinks `refuse` answers `null` for a file with more than one hard link
 * @returns `null` if there is no such file, or it is no regular file
 */
export function* withRegularFile<Value>(
  realFile: string,
  hardLinks: 'allow' | 'refuse',
  work: (opened: OpenedFile) => DiskSteps<Value>,
): DiskSteps<Value | null> {
  let opened: OpenedFile;
  try {
    opened = yield* disk.open(realFile, readOnlyFlags);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
  const { descriptor, stats } = opened;
  try {
    const mayBeRead = stats.isFile() && (hardLinks === 'allow' || stats.nlink <= 1);
    if (!mayBeRead) return null;
    return (yield* isAt(realFile, descriptor)) ? yield* work(opened) : null;
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Whether the opened file is the one at that path. The kernel of Linux knows it without a look at
 * the disk, which costs a third of what finding it out again does, and cannot be raced.
 */
function* isAt(realFile: string, descriptor: number): DiskSteps<boolean> {
  const opened = openedAs(descriptor);
  if (opened === realFile) return true;
  // Folders may ignore case or ways to write a letter; any other path is that of another file.
  if (opened !== null && plain(opened) !== plain(realFile)) return false;
  // Whoever swaps a folder for a link has to win both looks.
  return (yield* isStillAt(realFile, descriptor)) && (yield* isStillAt(realFile, descriptor));
}

function* isStillAt(realFile: string, descriptor: number): DiskSteps<boolean> {
  try {
    if ((yield* disk.realpath(realFile)) !== realFile) return false;
    const there = yield* disk.lstat(realFile);
    const stats = yield* disk.fstat(descriptor);
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

/** The system reads less than 2 GiB at a time. */
const maxReadBytes = 2 ** 30;

/** Reads an opened file from its start: `length` bytes, or fewer where the file ends sooner. */
export function* readStart(descriptor: number, length: number): DiskSteps<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const bytesRead = yield* disk.read(descriptor, bytes, filled, Math.min(length - filled, maxReadBytes));
    if (bytesRead === 0) return bytes.slice(0, filled);
    filled += bytesRead;
  }
  return bytes;
}
