import type { SkillStore, SkillStoreEntry } from './skill-store.ts';

/** The called part of an R2 bucket: a binding, Miniflare or wrangler. */
export interface R2BucketLike {
  get(
    key: string,
    options?: { range?: { offset: number; length: number } },
  ): Promise<{ readonly size: number; readonly etag: string; arrayBuffer(): Promise<ArrayBuffer> } | null>;
  put(
    key: string,
    value: Uint8Array,
    options?: { onlyIf?: { etagMatches?: string; etagDoesNotMatch?: string } },
  ): Promise<{ readonly etag: string } | null>;
  list(options: { prefix: string; cursor?: string }): Promise<{
    readonly objects: readonly { readonly key: string; readonly size: number; readonly uploaded: Date }[];
    readonly truncated: boolean;
    readonly cursor?: string;
  }>;
  delete(keys: string[]): Promise<void>;
}

const deleteBatch = 1_000;

/**
 * Keeps skills in an R2 bucket. R2 is strongly consistent: a new release is visible immediately and
 * everywhere. Ranges are supported, and concurrent publishers take turns.
 *
 * @example
 * ```ts
 * import { r2SkillStore, storageSkillProvider, type R2BucketLike } from '@repertoire/skill-storage';
 *
 * export function skillsOf(env: { SKILLS: R2BucketLike }) {
 *   return storageSkillProvider({ label: 'team', store: r2SkillStore(env.SKILLS), trusted: true });
 * }
 * ```
 */
export function r2SkillStore(bucket: R2BucketLike): SkillStore {
  return {
    label: 'r2',
    conditional: true,

    async get(key, { maxBytes } = {}) {
      const object = await bucket
        .get(key, maxBytes === undefined ? {} : { range: { offset: 0, length: maxBytes } })
        .catch(async (error: unknown) => {
          // R2 rejects a range of an empty object.
          const whole = maxBytes === undefined ? null : await bucket.get(key);
          if (whole?.size === 0) return whole;
          throw error;
        });
      return object === null ? null : { bytes: new Uint8Array(await object.arrayBuffer()), size: object.size, etag: object.etag };
    },

    async put(key, bytes, { ifMatch } = {}) {
      if (ifMatch === undefined) return (await bucket.put(key, bytes)) !== null;
      const onlyIf = ifMatch === null ? { etagDoesNotMatch: '*' } : { etagMatches: ifMatch };
      return (await bucket.put(key, bytes, { onlyIf })) !== null;
    },

    async list(prefix, { signal } = {}) {
      const entries: SkillStoreEntry[] = [];
      let cursor: string | undefined;
      do {
        signal?.throwIfAborted();
        const page = await bucket.list({ prefix, ...(cursor !== undefined && { cursor }) });
        entries.push(...page.objects.map(({ key, size, uploaded }) => ({ key, size, uploadedAt: uploaded.getTime() })));
        cursor = page.truncated ? page.cursor : undefined;
      } while (cursor !== undefined);
      return entries;
    },

    async delete(keys, { signal } = {}) {
      for (let start = 0; start < keys.length; start += deleteBatch) {
        signal?.throwIfAborted();
        await bucket.delete(keys.slice(start, start + deleteBatch));
      }
    },
  };
}
