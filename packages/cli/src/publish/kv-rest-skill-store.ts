import type { SkillStore, SkillStoreEntry } from '@repertoire/skill-storage';
import { KvRestApi, type KvRestApiOptions } from './kv-rest-api.ts';
import { KvWrites, maxPairs } from './kv-writes.ts';

/**
 * A KV namespace from outside of Workers. Concurrent writes are sent together: the API limits
 * requests.
 */
export function kvRestSkillStore(options: KvRestApiOptions): SkillStore {
  const api = new KvRestApi(options);
  const writes = new KvWrites(api);
  return {
    label: 'kv',
    conditional: false,

    async get(key, { maxBytes, signal } = {}) {
      const bytes = await api.value(key, signal);
      return bytes === null ? null : { bytes: bytes.slice(0, maxBytes), size: bytes.length };
    },

    async put(key, bytes, { signal } = {}) {
      await writes.put(key, bytes, signal);
      return true;
    },

    async list(prefix, { signal } = {}) {
      const entries: SkillStoreEntry[] = [];
      let cursor = '';
      do {
        const route = `/keys?${new URLSearchParams({ prefix, limit: '1000', ...(cursor !== '' && { cursor }) })}`;
        const page = await api.call<KeysPage>('GET', route, { signal });
        entries.push(...page.result.map(({ name, metadata }) => ({ key: name, size: metadata?.size, uploadedAt: metadata?.uploadedAt })));
        const next = page.result_info?.cursor ?? '';
        if (next !== '' && next === cursor) throw new Error(`GET ${route}: the listing goes in circles`);
        cursor = next;
      } while (cursor !== '');
      return entries;
    },

    async delete(keys, { signal } = {}) {
      for (let start = 0; start < keys.length; start += maxPairs)
        await api.call('POST', '/bulk/delete', { body: keys.slice(start, start + maxPairs), signal });
    },
  };
}

interface KeysPage {
  readonly result: readonly {
    readonly name: string;
    readonly metadata?: { readonly size?: number; readonly uploadedAt?: number } | null;
  }[];
  readonly result_info?: { readonly cursor?: string | null } | null;
}
