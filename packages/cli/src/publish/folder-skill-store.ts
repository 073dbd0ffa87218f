import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SkillStore, SkillStoreEntry } from '@repertoire/skill-storage';

const unfinished = '.part';

/**
 * Skills in a folder, laid out as in every other store. Files are replaced atomically; of two
 * concurrent publishers the last one wins.
 */
export function folderSkillStore(folder: string): SkillStore {
  const at = (key: string): string => path.join(folder, ...key.split('/'));
  return {
    label: folder,
    conditional: false,

    async get(key, { maxBytes } = {}) {
      const file = await open(at(key)).catch(absent);
      if (file === undefined) return null;
      try {
        const { size } = await file.stat();
        const bytes = new Uint8Array(Math.min(size, maxBytes ?? size));
        let length = 0;
        for (let read = -1; read !== 0 && length < bytes.length; length += read) {
          read = (await file.read(bytes, length, bytes.length - length)).bytesRead;
        }
        return { bytes: bytes.subarray(0, length), size };
      } finally {
        await file.close();
      }
    },

    async put(key, bytes, { signal } = {}) {
      const file = at(key);
      await mkdir(path.dirname(file), { recursive: true });
      const part = `${file}.${randomUUID()}${unfinished}`;
      try {
        await writeFile(part, bytes, { signal, flush: true });
        await rename(part, file);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
      return true;
    },

    async list(prefix, { signal } = {}) {
      const inner = at(prefix.replace(/\/$/, ''));
      const entries = (await readdir(inner, { withFileTypes: true }).catch(absent)) ?? [];
      const listed: SkillStoreEntry[] = [];
      for (const entry of entries) {
        signal?.throwIfAborted();
        if (!entry.isFile() || entry.name.endsWith(unfinished)) continue;
        const found = await stat(path.join(inner, entry.name)).catch(absent);
        if (found !== undefined) listed.push({ key: `${prefix}${entry.name}`, size: found.size, uploadedAt: found.mtimeMs });
      }
      return listed;
    },

    async delete(keys, { signal } = {}) {
      for (const key of keys) {
        signal?.throwIfAborted();
        await rm(at(key), { force: true });
      }
    },
  };
}

function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
