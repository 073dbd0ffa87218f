import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';

/**
 * How every file is opened: never through a link that took its place, and never waiting for the other end of a pipe. Windows has neither flag and
 * neither trap.
 */
export const readOnlyFlags: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What the operating system answers for something that is not there, or may not be read as a file. */
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

/** An open file. Close the handle. */
export interface OpenedFile {
  readonly handle: FileHandle;
  readonly stats: BigIntStats;
}

/**
 * Opens a regular file by its real path, and makes sure of the opened handle that it is the file at that path: whoever swaps the file, or a folder
 * above it, for a link between check and opening gets nothing.
 *
 * @param hardLinks `refuse` answers `null` for a file with more than one hard link
 * @returns `null` where there is no such file, or it is a folder, link, pipe, socket or device
 */
export async function openRegularFile(realFile: string, hardLinks: 'allow' | 'refuse'): Promise<OpenedFile | null> {
  let handle: FileHandle;
  try {
    handle = await open(realFile, readOnlyFlags);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
  try {
    const stats = await handle.stat({ bigint: true });
    const mayBeRead = stats.isFile() && (hardLinks === 'allow' || stats.nlink <= 1n);
    if (mayBeRead && (await realpath(realFile)) === realFile) {
      const there = await lstat(realFile, { bigint: true });
      if (there.ino === stats.ino && there.dev === stats.dev) return { handle, stats };
    }
  } catch (error) {
    await handle.close();
    if (isAbsence(error)) return null;
    throw error;
  }
  await handle.close();
  return null;
}

/** The operating system reads less than 2 GiB at a time. */
const maxReadBytes = 2 ** 30;

/** Reads an opened file from its start: `length` bytes, or fewer where the file ends sooner. */
export async function readStart(handle: FileHandle, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, Math.min(length - filled, maxReadBytes), filled);
    if (bytesRead === 0) return bytes.slice(0, filled);
    filled += bytesRead;
  }
  return bytes;
}
