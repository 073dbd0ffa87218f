import { SkillError } from '@repertoire/skills-core';
import type { SkillStore, SkillStoreEntry } from './skill-store.ts';

interface UnstorageMeta {
  readonly size?: unknown;
  readonly mtime?: unknown;
}

/** The part of a `Storage` of unstorage that {@link unstorageSkillStore} calls. */
export interface UnstorageLike {
  getItemRaw(key: string): Promise<unknown>;
  setItemRaw(key: string, value: Uint8Array): Promise<void>;
  getKeys(base: string): Promise<string[]>;
  getMeta(key: string, options: { nativeOnly: boolean }): UnstorageMeta | Promise<UnstorageMeta>;
  removeItem(key: string): Promise<void>;
}

/**
 * Keeps skills in any backend of unstorage: Redis, Upstash, Vercel Blob, Deno KV, Netlify Blobs, a
 * database, and some twenty more. It reads whole objects, since unstorage has no ranges, and the
 * last of two concurrent publishers wins. For R2, KV and S3, use their own stores: unstorage uses
 * other keys there, and lists no more than 1,000 objects of R2 and S3.
 *
 * @example
 * ```ts
 * import { storageSkillProvider, unstorageSkillStore, type UnstorageLike } from '@repertoire/skill-storage';
 *
 * export function skillsOf(storage: UnstorageLike) {
 *   return storageSkillProvider({ label: 'team', store: unstorageSkillStore(storage), trusted: true });
 * }
 * ```
 */
export function unstorageSkillStore(storage: UnstorageLike): SkillStore {
  return {
    label: 'unstorage',
    conditional: false,

    async get(key, { maxBytes } = {}) {
      const bytes = bytesOf(await storage.getItemRaw(key), key);
      return bytes === null ? null : { bytes: bytes.slice(0, maxBytes), size: bytes.length };
    },

    async put(key, bytes) {
      // A copy, because in-memory drivers keep the array.
      await storage.setItemRaw(key, bytes.slice());
      return true;
    },

    async list(prefix, { signal } = {}) {
      const keys = (await storage.getKeys(prefix)).map((key) => key.replaceAll(':', '/')).filter((key) => key.startsWith(prefix));
      const entries: SkillStoreEntry[] = [];
      let tells = true;
      for (const key of keys) {
        signal?.throwIfAborted();
        // File drivers report size (partial writes), databases mtime. Asked for the first key only.
        const meta: UnstorageMeta = tells ? await storage.getMeta(key, { nativeOnly: true }) : {};
        const { size, mtime } = meta;
        tells = typeof size === 'number' || mtime instanceof Date;
        entries.push({
          key,
          ...(typeof size === 'number' && { size }),
          ...(mtime instanceof Date && { uploadedAt: mtime.getTime() }),
        });
      }
      return entries;
    },

    async delete(keys, { signal } = {}) {
      for (const key of keys) {
        signal?.throwIfAborted();
        await storage.removeItem(key);
      }
    },
  };
}

/** Drivers return bytes as views, buffers, or text. */
function bytesOf(value: unknown, key: string): Uint8Array | null {
  if (value === null || value === undefined) return null;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === 'string') return new TextEncoder().encode(value);
  throw new SkillError(
    'unsupported',
    `The driver of unstorage gives ${Object.prototype.toString.call(value)} for ${key}. Use a driver that gives bytes for getItemRaw.`,
  );
}
