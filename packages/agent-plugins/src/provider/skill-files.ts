import { SkillError } from '@repertoire/skills-core';
import { compareResources, isResourcePath, resourceEntry, sha256Hex, type SkillResourceEntry } from '@repertoire/skills-core/provider';
import type { PluginCallOptions, PluginFiles } from '../files/plugin-files.ts';

/** A file of a skill, where it lies in its plugin. */
export interface SkillFileEntry {
  /** As the contract has it: in NFC. */
  readonly path: string;
  /** As the files spell it, from the root of the plugin. */
  readonly stored: string;
  readonly size: number | undefined;
  readonly stamp: string | undefined;
}

const maxFiles = 2_000;
const maxDepth = 32;
/** A larger file has no digest, and is only read with `maxBytes`. */
export const maxFileBytes = 67_108_864;
const neverListed: ReadonlySet<string> = new Set(['node_modules', '__pycache__', 'thumbs.db']);

/** The files of a skill. */
export interface SkillFileEntries {
  /** Its SKILL.md, if it is there. */
  readonly main: SkillFileEntry | null;
  /** All others. */
  readonly files: readonly SkillFileEntry[];
}

/** The files of a skill: nothing hidden, and nothing that leads out of the plugin. */
export async function listSkillFiles(files: PluginFiles, folder: string, options: PluginCallOptions): Promise<SkillFileEntries> {
  let main: SkillFileEntry | null = null;
  const found = new Map<string, SkillFileEntry>();
  const pending = [{ stored: folder, path: '', depth: 0 }];
  for (let next = pending.pop(); next !== undefined && found.size < maxFiles; next = pending.pop()) {
    const entries = await files.list(next.stored, options);
    if (entries === null || entries === 'outside') continue;
    for (const { name, kind, size, stamp } of entries) {
      if (name.startsWith('.') || neverListed.has(name.toLowerCase())) continue;
      const path = `${next.path}${name.normalize('NFC')}`;
      const stored = `${next.stored}/${name}`;
      if (kind === 'folder' && next.depth < maxDepth) pending.push({ stored, path: `${path}/`, depth: next.depth + 1 });
      if (kind === 'file' && path === 'SKILL.md') main = { path, stored, size, stamp };
      const isFile = kind === 'file' && path !== 'SKILL.md' && isResourcePath(path);
      if (isFile && found.size < maxFiles && (!found.has(path) || name === name.normalize('NFC')))
        found.set(path, { path, stored, size, stamp });
    }
  }
  return { main, files: [...found.values()].sort(compareResources) };
}

/** Digests of files, each cached while the stamp of the file is the same. */
export class KeptDigests {
  readonly #kept = new Map<string, { readonly stamp: string; readonly digest: string }>();

  /** The list of files with digests. A file that is too large, or gone, has none. */
  async entries(
    plugin: string,
    files: PluginFiles,
    listed: readonly SkillFileEntry[],
    options: PluginCallOptions,
  ): Promise<readonly SkillResourceEntry[]> {
    const entries: SkillResourceEntry[] = [];
    for (const file of listed) {
      const digest = await this.of(plugin, files, file, options);
      entries.push(
        resourceEntry(file.path, { ...(file.size !== undefined && { size: file.size }), ...(digest !== undefined && { digest }) }),
      );
    }
    return entries;
  }

  /** The digest of one file; `undefined` for one that is too large, or gone. */
  async of(
    plugin: string,
    files: PluginFiles,
    { stored, stamp, size }: SkillFileEntry,
    options: PluginCallOptions,
  ): Promise<string | undefined> {
    const key = `${plugin}\0${stored}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.stamp === stamp) return kept.digest;
    if (size !== undefined && size > maxFileBytes) return undefined;
    const file = await files.read(stored, { ...options, maxBytes: maxFileBytes });
    if (file === null || file === 'outside' || file.bytes.length !== file.size) return undefined;
    const digest = await sha256Hex(file.bytes);
    if (stamp !== undefined) this.#kept.set(key, { stamp, digest });
    return digest;
  }
}

/** The error for a file that is too large to be read whole. */
export function tooLarge(path: string, size: number, label: string): SkillError {
  return new SkillError(
    'limit-exceeded',
    `[agent-plugins] ${JSON.stringify(path)} has ${size} bytes, and ${maxFileBytes} is the limit. Ask for its start with maxBytes.`,
    { path, source: label },
  );
}
