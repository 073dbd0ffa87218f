import type { SkillWrittenFile } from '@repertoire/skills-core/internal';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { RunOwner } from './run-user.ts';
import { isGone, maxDepth, walkFolder, type FolderEntry } from './walk-folder.ts';
import { stateOf, type FileState } from './working-copy.ts';

/** Limits for what a run may write to its copy. */
export interface WriteLimits {
  readonly maxFolderBytes: number;
  readonly maxFolderEntries: number;
}

/** Whether a folder exceeds the limits. Reads no more entries than allowed. */
export async function isOverfull(folder: string, limits: WriteLimits): Promise<boolean> {
  let bytes = 0;
  let entries = 0;
  try {
    for await (const { place, isFile, depth } of walkFolder(folder)) {
      entries += 1;
      if (depth > maxDepth || entries > limits.maxFolderEntries) return true;
      if (!isFile) continue;
      bytes += await stateOf(place).then(
        ({ size }) => size,
        (error: unknown) => {
          if (isGone(error)) return 0;
          throw error;
        },
      );
      if (bytes > limits.maxFolderBytes) return true;
    }
  } catch {
    return true;
  }
  return false;
}

/**
 * Files below a folder that are new or changed. Links, devices and pipes are left out: a link could
 * lead anywhere, and reading a pipe may block forever. So are files with a name that is not UTF-8,
 * for which no path can be given, and files of another owner than the run, to which a script can
 * make a second name.
 */
export async function writtenFiles(
  folder: string,
  owner: RunOwner | null,
  before: ReadonlyMap<string, FileState>,
  originals: ReadonlyMap<string, Uint8Array>,
  limits: WriteLimits,
): Promise<readonly SkillWrittenFile[]> {
  const written: SkillWrittenFile[] = [];
  let room = limits.maxFolderBytes;
  let entries = 0;
  for await (const { path, place, isFile, depth } of entriesOf(folder)) {
    entries += 1;
    if (depth > maxDepth || entries > limits.maxFolderEntries) break;
    if (!isFile || path === null) continue;
    const state = await stateOf(place).catch(() => null);
    const known = before.get(path);
    if (state === null || (known !== undefined && known.size === state.size && known.changed === state.changed)) continue;
    const bytes = state.size > room ? null : await readRegular(place, state.size, owner);
    const original = originals.get(path);
    if (bytes !== null && original !== undefined && Buffer.from(bytes).equals(original)) continue;
    room -= bytes?.length ?? 0;
    written.push({ path, size: bytes?.length ?? state.size, bytes });
  }
  return written.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A folder that cannot be read ends the list; the limits then end the run. */
async function* entriesOf(folder: string): AsyncGenerator<FolderEntry> {
  try {
    yield* walkFolder(folder);
  } catch {
    // See isOverfull.
  }
}

async function readRegular(file: Buffer, size: number, owner: RunOwner | null): Promise<Uint8Array | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    const state = await handle.stat();
    if (!state.isFile() || (owner !== null && state.uid !== owner.uid)) return null;
    const bytes = new Uint8Array(size);
    let length = 0;
    while (length < size) {
      const { bytesRead } = await handle.read(bytes, length, size - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}
