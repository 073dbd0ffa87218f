import { compareText, type SkillWrittenFile } from '@repertoire/skills-core/internal';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { RunOwner } from './run-user.ts';
import { maxDepth, walkFolder } from './walk-folder.ts';

/** Limits for what a run may write to its copy. */
export interface WriteLimits {
  readonly maxFolderBytes: number;
  readonly maxFolderEntries: number;
}

/** Whether a folder exceeds the limits. Reads no more entries than allowed. */
export async function isOverfull(folder: string, limits: WriteLimits): Promise<boolean> {
  return (await look(folder, limits, () => {})).isOverfull;
}

/** Whether the file system of a folder holds more than the limits, or no other file. */
export async function isFull(folder: string, { maxFolderBytes }: WriteLimits): Promise<boolean> {
  const { blocks, bavail, bsize, ffree } = await statfs(folder);
  return (blocks - bavail) * bsize > maxFolderBytes || ffree === 0;
}

/**
 * Finds files below a folder that are new or changed, and whether the folder exceeds the limits.
 * Links, devices and pipes are left out: a link could lead anywhere, and reading a pipe may block
 * forever. So are files with a name that is not UTF-8, for which no path can be given, and files of
 * another owner than the run, to which a script can make a second name.
 */
export async function writtenFiles(
  folder: string,
  owner: RunOwner | null,
  originals: ReadonlyMap<string, Uint8Array>,
  limits: WriteLimits,
): Promise<{ readonly written: readonly SkillWrittenFile[]; readonly isOverfull: boolean }> {
  const written: SkillWrittenFile[] = [];
  let room = limits.maxFolderBytes;
  const { isOverfull: overfull } = await look(folder, limits, (path, place, size) => {
    if (path === null) return;
    const original = originals.get(path);
    // What the skill brought takes no room.
    const bytes = original?.length !== size && size > room ? null : readRegular(place, size, owner);
    if (bytes !== null && original !== undefined && Buffer.from(bytes).equals(original)) return;
    room -= bytes?.length ?? 0;
    written.push({ path, size: bytes?.length ?? size, bytes });
  });
  return { written: written.sort((a, b) => compareText(a.path, b.path)), isOverfull: overfull };
}

/**
 * Visits the files of a folder until a limit is reached. A folder that cannot be read counts as too
 * much. The calls for single files are synchronous, which is several times as fast; the calls for
 * folders let others have their turn.
 */
async function look(
  folder: string,
  limits: WriteLimits,
  visit: (path: string | null, place: Buffer, size: number) => void,
): Promise<{ readonly isOverfull: boolean }> {
  let bytes = 0;
  let entries = 0;
  try {
    for await (const { path, place, isFile, depth } of walkFolder(folder)) {
      entries += 1;
      if (depth > maxDepth || entries > limits.maxFolderEntries) return { isOverfull: true };
      const size = isFile ? lstatSync(place, { throwIfNoEntry: false })?.size : undefined;
      if (size === undefined) continue;
      bytes += size;
      visit(path, place, size);
    }
  } catch {
    return { isOverfull: true };
  }
  return { isOverfull: bytes > limits.maxFolderBytes };
}

function readRegular(file: Buffer, size: number, owner: RunOwner | null): Uint8Array | null {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const state = fstatSync(handle);
    if (!state.isFile() || (owner !== null && state.uid !== owner.uid)) return null;
    const bytes = new Uint8Array(size);
    let length = 0;
    while (length < size) {
      const bytesRead = readSync(handle, bytes, length, size - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}
