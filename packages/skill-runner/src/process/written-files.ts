import type { SkillWrittenFile } from '@repertoire/skills-core/provider';
import { constants } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import path from 'node:path';
import { stateOf, type FileState } from './working-copy.ts';

/** Limits for what a run may write to its copy. */
export interface WriteLimits {
  readonly maxFolderBytes: number;
  readonly maxFolderEntries: number;
}

/** A deeper tree is treated as an attack. */
const maxDepth = 32;

/** Whether a folder exceeds the limits. It reads no more entries than allowed. */
export async function isOverfull(folder: string, limits: WriteLimits): Promise<boolean> {
  let bytes = 0;
  let entries = 0;
  for await (const { file, depth } of walk(folder)) {
    entries += 1;
    if (depth > maxDepth || entries > limits.maxFolderEntries) return true;
    if (file === null) continue;
    bytes += await stateOf(file).then(
      ({ size }) => size,
      () => 0,
    );
    if (bytes > limits.maxFolderBytes) return true;
  }
  return false;
}

/**
 * Files below a folder that are new or changed. Links, devices and pipes are left out: a link could
 * lead anywhere, and reading a pipe may block forever.
 */
export async function writtenFiles(
  folder: string,
  before: ReadonlyMap<string, FileState>,
  originals: ReadonlyMap<string, Uint8Array>,
  limits: WriteLimits,
): Promise<readonly SkillWrittenFile[]> {
  const written: SkillWrittenFile[] = [];
  let room = limits.maxFolderBytes;
  let entries = 0;
  for await (const { file, depth } of walk(folder)) {
    entries += 1;
    if (depth > maxDepth || entries > limits.maxFolderEntries) break;
    if (file === null) continue;
    const name = path.relative(folder, file).split(path.sep).join('/');
    const state = await stateOf(file).catch(() => null);
    const known = before.get(name);
    if (state === null || (known !== undefined && known.size === state.size && known.changed === state.changed)) continue;
    const bytes = state.size > room ? null : await readRegular(file, state.size);
    const original = originals.get(name);
    if (bytes !== null && original !== undefined && Buffer.from(bytes).equals(original)) continue;
    room -= bytes?.length ?? 0;
    written.push({ path: name, size: bytes?.length ?? state.size, bytes });
  }
  return written.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Regular files, and `null` for every other entry. Entries that disappear meanwhile are skipped.
 */
async function* walk(folder: string, depth = 1): AsyncGenerator<{ readonly file: string | null; readonly depth: number }> {
  const entries = await opendir(folder).catch(() => null);
  if (entries === null) return;
  for await (const entry of entries) {
    const child = path.join(folder, entry.name);
    yield { file: entry.isFile() ? child : null, depth };
    if (entry.isDirectory() && depth <= maxDepth) yield* walk(child, depth + 1);
  }
}

async function readRegular(file: string, size: number): Promise<Uint8Array | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    if (!(await handle.stat()).isFile()) return null;
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
