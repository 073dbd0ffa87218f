import type { PluginEntry, PluginFiles } from './plugin-files.ts';

/**
 * Files that are in memory: unpacked from an archive, or put into a bundle.
 *
 * @param files text or bytes by path, such as `skills/haiku/SKILL.md`
 * @example
 * ```ts
 * import { memoryPluginFiles, pluginProvider } from '@repertoire/agent-plugins';
 *
 * const files = memoryPluginFiles({
 *   'plugin.json': '{"$schema":"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json","name":"poems"}',
 *   'skills/haiku/SKILL.md': '---\nname: haiku\ndescription: Writes haiku. Use it for short poems.\n---\nThree lines.',
 * });
 * export const provider = pluginProvider({ roots: [{ files, name: 'bundle' }] });
 * ```
 */
export function memoryPluginFiles(files: Readonly<Record<string, string | Uint8Array>>): PluginFiles {
  const contents = new Map(
    Object.entries(files).map(([path, content]) => [path, typeof content === 'string' ? new TextEncoder().encode(content) : content]),
  );
  return filesBelow(contents, '');
}

function filesBelow(contents: ReadonlyMap<string, Uint8Array>, root: string): PluginFiles {
  return {
    async list(path, { signal } = {}) {
      signal?.throwIfAborted();
      const prefix = path === '' ? root : `${root}${path}/`;
      const entries = new Map<string, PluginEntry>();
      for (const [file, { length }] of contents) {
        if (!file.startsWith(prefix)) continue;
        const [name = '', ...below] = file.slice(prefix.length).split('/');
        // What is in memory never changes.
        entries.set(name, below.length > 0 ? { name, kind: 'folder' } : { name, kind: 'file', size: length, stamp: '0' });
      }
      return entries.size > 0 || prefix === '' ? [...entries.values()] : null;
    },
    async read(path, { maxBytes, signal } = {}) {
      signal?.throwIfAborted();
      const bytes = contents.get(root + path);
      return bytes === undefined ? null : { bytes: bytes.slice(0, maxBytes), size: bytes.length };
    },
    folder: (path) => filesBelow(contents, `${root}${path}/`),
  };
}
