import type { SkillStore, SkillStoreEntry } from './skill-store.ts';

/** The called part of a KV namespace: a binding, Miniflare or wrangler. */
export interface KVNamespaceLike {
  get(key: string, type: 'arrayBuffer'): Promise<ArrayBuffer | null>;
  put(key: string, value: Uint8Array, options: { metadata: { size: number; uploadedAt: number } }): Promise<void>;
  list(options: { prefix: string; cursor?: string }): Promise<{
    readonly keys: readonly { readonly name: string; readonly metadata?: unknown }[];
    readonly list_complete: boolean;
    readonly cursor?: string;
  }>;
  delete(key: string): Promise<void>;
}

/**
 * Keeps skills in a KV namespace. A new release is visible immediately where it was written, and
 * within about a minute elsewhere; until then, the previous one is served. KV has no ranges, so
 * files are read completely; the maximum is 25 MiB. It has no conditional writes, so the last of
 * two concurrent publishers wins.
 *
 * @example
 * ```ts
 * import { kvSkillStore, storageSkillProvider, type KVNamespaceLike } from '@repertoire/skill-storage';
 *
 * export function skillsOf(env: { SKILLS: KVNamespaceLike }) {
 *   return storageSkillProvider({ label: 'team', store: kvSkillStore(env.SKILLS), trusted: true });
 * }
 * ```
 */
export function kvSkillStore(namespace: KVNamespaceLike): SkillStore {
  return {
    label: 'kv',
    conditional: false,

    async get(key, { maxBytes } = {}) {
      const value = await namespace.get(key, 'arrayBuffer');
      return value === null ? null : { bytes: new Uint8Array(value.slice(0, maxBytes)), size: value.byteLength };
    },

    async put(key, bytes) {
      await namespace.put(key, bytes, { metadata: { size: bytes.length, uploadedAt: Date.now() } });
      return true;
    },

    async list(prefix, { signal } = {}) {
      const entries: SkillStoreEntry[] = [];
      let cursor: string | undefined;
      do {
        signal?.throwIfAborted();
        const page = await namespace.list({ prefix, ...(cursor !== undefined && { cursor }) });
        entries.push(...page.keys.map(({ name, metadata }) => ({ key: name, ...toldIn(metadata) })));
        cursor = page.list_complete ? undefined : page.cursor;
      } while (cursor !== undefined);
      return entries;
    },

    async delete(keys, { signal } = {}) {
      for (const key of keys) {
        signal?.throwIfAborted();
        await namespace.delete(key);
      }
    },
  };
}

/** Metadata of a value: KV itself reports neither sizes nor times. */
function toldIn(metadata: unknown): Pick<SkillStoreEntry, 'size' | 'uploadedAt'> {
  const { size, uploadedAt } = (metadata ?? {}) as { readonly size?: unknown; readonly uploadedAt?: unknown };
  return { ...(typeof size === 'number' && { size }), ...(typeof uploadedAt === 'number' && { uploadedAt }) };
}
