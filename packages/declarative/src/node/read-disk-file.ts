import { open, realpath, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isInside } from '@repertoire/skill-fs/internal';
import type { OpenAgentSource } from '../sources/open-skills.ts';
import type { ReadCardFile } from '@repertoire/skill-cards/provider';

/** Reads regular files of these folders. Anything else counts as missing. */
export function diskReader(folders: readonly string[]): ReadCardFile {
  return async (location, { maxBytes, signal }) => {
    if (location.protocol !== 'file:') return null;
    try {
      // Links are resolved first, so that none leads outside.
      const path = await realpath(fileURLToPath(location));
      if (!(await isInsideAny(path, folders))) return null;
      return await readFileStart(path, maxBytes, signal);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
}

/** Opens a folder only inside of the given ones, with links resolved; otherwise `null`. */
export function folderInside(folders: readonly string[], inner: OpenAgentSource): OpenAgentSource {
  return async (location, request) => {
    if (location.protocol === 'file:') {
      try {
        if (!(await isInsideAny(await realpath(fileURLToPath(location)), folders))) return null;
      } catch (error) {
        // The source says what is missing.
        if (!isMissing(error)) throw error;
      }
    }
    return await inner(location, request);
  };
}

async function isInsideAny(path: string, folders: readonly string[]): Promise<boolean> {
  const roots = await Promise.all(folders.map(async (folder) => await realpath(folder).catch(() => null)));
  return roots.some((root) => root !== null && isInside(root, path));
}

/** The first bytes of a regular file; `null` for a device or a pipe. */
export async function readFileStart(path: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array | null> {
  signal?.throwIfAborted();
  // Opening a pipe would block until somebody writes to it.
  if (!(await stat(path)).isFile()) return null;
  const file = await open(path, 'r');
  try {
    const stats = await file.stat();
    const bytes = new Uint8Array(Math.min(stats.size, maxBytes));
    let read = 0;
    while (read < bytes.length) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(bytes, read, bytes.length - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return bytes.subarray(0, read);
  } finally {
    await file.close();
  }
}

export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR'].includes((error as { readonly code?: string }).code ?? '');
}
