import type { PluginEntry, PluginFiles } from './plugin-files.ts';

/** The part of an R2 bucket that is called. */
export interface PluginBucket {
  list(options: { prefix: string; delimiter: string; cursor?: string }): Promise<{
    readonly objects: readonly { readonly key: string; readonly size: number; readonly etag: string }[];
    readonly delimitedPrefixes: readonly string[];
    readonly truncated: boolean;
    readonly cursor?: string;
  }>;
  get(
    key: string,
    options?: { range: { offset: number; length: number } },
  ): Promise<{ readonly size: number; arrayBuffer(): Promise<ArrayBuffer> } | null>;
}

const mostPages = 10;

/**
 * Plugins in a bucket of R2, in Workers.
 *
 * @param prefix where the plugins are, such as `plugins/`; `''` for the whole bucket
 * @example
 * ```ts
 * import { pluginProvider, r2PluginFiles, type PluginBucket } from '@repertoire/agent-plugins';
 *
 * export const providerOf = (env: { PLUGINS: PluginBucket }) =>
 *   pluginProvider({ roots: [{ files: r2PluginFiles(env.PLUGINS, 'plugins/'), name: 'bucket' }] });
 * ```
 */
export function r2PluginFiles(bucket: PluginBucket, prefix: string): PluginFiles {
  return {
    async list(path, { signal } = {}) {
      const folder = path === '' ? prefix : `${prefix}${path}/`;
      const entries: PluginEntry[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < mostPages; page += 1) {
        signal?.throwIfAborted();
        const found = await bucket.list({ prefix: folder, delimiter: '/', ...(cursor !== undefined && { cursor }) });
        for (const { key, size, etag } of found.objects) {
          if (key !== folder) entries.push({ name: key.slice(folder.length), kind: 'file', size, stamp: etag });
        }
        for (const below of found.delimitedPrefixes) entries.push({ name: below.slice(folder.length, -1), kind: 'folder' });
        cursor = found.truncated ? found.cursor : undefined;
        if (cursor === undefined) break;
      }
      return entries.length === 0 ? null : entries;
    },
    async read(path, { maxBytes, signal } = {}) {
      signal?.throwIfAborted();
      const key = prefix + path;
      const object = await bucket.get(key, ...(maxBytes === undefined ? [] : [{ range: { offset: 0, length: Math.max(1, maxBytes) } }]));
      if (object === null) return null;
      const bytes = new Uint8Array(await object.arrayBuffer());
      return { bytes: bytes.slice(0, maxBytes), size: object.size };
    },
    folder: (path) => r2PluginFiles(bucket, `${prefix}${path}/`),
  };
}
