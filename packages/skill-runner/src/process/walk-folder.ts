import { constants, existsSync } from 'node:fs';
import { chmod, open, opendir, type FileHandle } from 'node:fs/promises';

export interface FolderEntry {
  /** Path below the folder; `null` for a name that is not UTF-8. */
  readonly path: string | null;
  /** Where it is now, as bytes. No part but the last can be a link. */
  readonly place: Buffer;
  readonly isFile: boolean;
  readonly depth: number;
}

/** A deeper tree is treated as an attack. */
export const maxDepth = 32;

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** A handle for a folder that must not be read. Node.js has no name for it. */
const O_PATH = 0x20_00_00;
/** Opened folders, by their handle. Other systems have no such folder; there, paths are used. */
const handles = '/proc/self/fd';
const hasHandles = existsSync(handles);
const needed = 0o500;

/**
 * All entries below a folder, by handles: a folder is opened as what it is, and its entries are
 * looked for in that very folder. So a link that a script puts in the place of a folder is not
 * followed, whenever it does so. A folder that its owner may not read is made readable. Entries
 * that disappear meanwhile are skipped.
 *
 * @throws if a folder cannot be read
 */
export async function* walkFolder(folder: string): AsyncGenerator<FolderEntry> {
  yield* walk(Buffer.from(folder), '', 1);
}

async function* walk(place: Buffer, above: string | null, depth: number): AsyncGenerator<FolderEntry> {
  const handle = await openFolder(place);
  if (handle === null) return;
  try {
    const inside = hasHandles ? Buffer.from(`${handles}/${handle.fd}`) : place;
    // Latin-1 keeps each byte of a name. As UTF-8, different names would become the same.
    for await (const { name: bytes, ...kind } of entriesOf(inside)) {
      const name = Buffer.from(bytes, 'latin1');
      const child = Buffer.concat([inside, Buffer.from('/'), name]);
      const path = above === null || !isUtf8(name) ? null : `${above}${name.toString()}`;
      yield { path, place: child, isFile: kind.isFile, depth };
      if (kind.isFolder && depth <= maxDepth) yield* walk(child, path === null ? null : `${path}/`, depth + 1);
    }
  } finally {
    await handle.close();
  }
}

async function* entriesOf(folder: Buffer): AsyncGenerator<{ readonly name: string; readonly isFile: boolean; readonly isFolder: boolean }> {
  for await (const entry of await opendir(folder, { encoding: 'latin1' }))
    yield { name: entry.name, isFile: entry.isFile(), isFolder: entry.isDirectory() };
}

/** Opens a folder; `null` if it is none any more. */
async function openFolder(place: Buffer): Promise<FileHandle | null> {
  const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK;
  try {
    const handle = await open(place, flags);
    const { mode } = await handle.stat();
    if ((mode & needed) !== needed) await handle.chmod((mode & 0o7777) | needed);
    return handle;
  } catch (error) {
    if (isGone(error)) return null;
    if (!hasHandles) throw error;
  }
  return reopened(place, flags);
}

/** Opens a folder that is closed to its owner. */
async function reopened(place: Buffer, flags: number): Promise<FileHandle | null> {
  let closed: FileHandle;
  try {
    closed = await open(place, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
  try {
    await chmod(`${handles}/${closed.fd}`, 0o700);
    return await open(`${handles}/${closed.fd}/.`, flags);
  } finally {
    await closed.close();
  }
}

/** Whether an entry is not what it was listed as any more. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ELOOP');
}

function isUtf8(name: Buffer): boolean {
  return Buffer.from(name.toString()).equals(name);
}
