import { deepFreeze, isShallow, messageOf } from '@repertoire/skills-core/internal';
import type { PluginCallOptions, PluginFiles } from '../files/plugin-files.ts';

const maxJsonBytes = 1_048_576;
// Created once, because creating a decoder costs more than decoding most files.
const exact = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A JSON file of a plugin, or why there is none. */
export type ReadJson =
  | { readonly state: 'read'; readonly value: unknown }
  | { readonly state: 'missing' }
  | { readonly state: 'outside' }
  | { readonly state: 'invalid'; readonly why: string };

/** JSON files that were read, by their paths, each with the stamp that it had. */
export type KeptJson = Map<string, { readonly stamp: string; readonly json: ReadJson }>;

/** The same as {@link readJson}, but a file with an unchanged stamp is not read again. */
export async function readKeptJson(
  files: PluginFiles,
  path: string,
  stamp: string | undefined,
  kept: KeptJson | undefined,
  options: PluginCallOptions,
): Promise<ReadJson> {
  const before = kept?.get(path);
  if (before !== undefined && before.stamp === stamp) return before.json;
  const json = deepFreeze(await readJson(files, path, options));
  if (stamp !== undefined) kept?.set(path, { stamp, json });
  return json;
}

/** Reads a JSON file: UTF-8 without a byte order mark, at most 1 MiB. */
export async function readJson(files: PluginFiles, path: string, options: PluginCallOptions): Promise<ReadJson> {
  const file = await files.read(path, { maxBytes: maxJsonBytes, ...options });
  if (file === null) return { state: 'missing' };
  if (file === 'outside') return { state: 'outside' };
  if (file.size > maxJsonBytes) return { state: 'invalid', why: `it has ${file.size} bytes, and ${maxJsonBytes} is the limit` };
  try {
    const text = exact.decode(file.bytes);
    const value: unknown = JSON.parse(text);
    return isShallow(value) ? { state: 'read', value } : { state: 'invalid', why: 'it is nested too deeply' };
  } catch (error) {
    return { state: 'invalid', why: messageOf(error) };
  }
}
