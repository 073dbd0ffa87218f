import { sha256Hex, skillDigestFromFileDigests } from '@repertoire/skills-core/provider';
import type { PluginCallOptions, PluginFiles } from '../files/plugin-files.ts';

const maxFiles = 10_000;
const maxBytes = 268_435_456;

/** The digest of every file of a plugin, and of the whole as for a skill. */
export interface PluginDigest {
  readonly digest: string;
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Hashes a plugin as a whole: its manifest, its servers, its skills, and every other file, without
 * exceptions, since a server may be started from any of them. Lock files and lists of plugins use
 * this digest.
 *
 * @returns `null` for a plugin with more than 10,000 files or 256 MiB, or with a path that leads
 *   out of it
 */
export async function pluginDigest(files: PluginFiles, options: PluginCallOptions = {}): Promise<PluginDigest | null> {
  const digests: Record<string, string> = {};
  const pending = [''];
  let [count, bytes] = [0, 0];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await files.list(folder, options);
    if (entries === null || entries === 'outside') return null;
    for (const { name, kind } of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'folder') pending.push(path);
      else if (kind !== 'file') return null;
      else {
        const file = await files.read(path, { ...options, maxBytes });
        count += 1;
        bytes += file === null || file === 'outside' ? 0 : file.size;
        if (file === null || file === 'outside' || count > maxFiles || bytes > maxBytes) return null;
        digests[path.normalize('NFC')] = await sha256Hex(file.bytes);
      }
      if (pending.length > maxFiles) return null;
    }
  }
  return { digest: await skillDigestFromFileDigests(digests), files: digests };
}
