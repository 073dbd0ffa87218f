import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import type { PluginCallOptions } from '../files/plugin-files.ts';
import type { Plugin } from '../read/read-plugin.ts';
import { pluginDigest } from './plugin-digest.ts';

/** An entry of a list. It matches the plugins that match each of its fields. */
export interface PluginListEntry {
  /** The name, or the start of names: `acme.*`. */
  readonly name?: string | undefined;
  /** Who signed the plugin, as `signerOf` says. */
  readonly signer?: string | undefined;
  /** The digest of the whole plugin: `pluginDigest`. */
  readonly digest?: string | undefined;
}

/** Lists of plugins that a host allows or blocks. */
export interface PluginLists {
  /** If given, only these are read. @default all */
  readonly allow?: readonly PluginListEntry[] | undefined;
  /** These are never read, whatever `allow` says. @default none */
  readonly block?: readonly PluginListEntry[] | undefined;
  /** Who signed a plugin, for entries with a `signer`. @default nobody */
  readonly signerOf?: ((plugin: Plugin, options: PluginCallOptions) => Promise<string | null>) | undefined;
}

const known: OptionRules<PluginListEntry> = { name: 'string', signer: 'string', digest: 'string' };

/** @throws {SkillError} `invalid-options` for an entry that would mean every plugin */
export function assertPluginLists({ allow = [], block = [] }: PluginLists): void {
  for (const entry of [...allow, ...block]) {
    assertKnownOptions('An entry of a list of plugins', entry, known);
    if (Object.values(entry).some((value) => typeof value === 'string' && value !== '')) continue;
    throw new SkillError('invalid-options', 'An entry of a list of plugins names nothing. Give it a name, a signer or a digest.');
  }
}

/**
 * Why a plugin may not be read; `null` if it may. An unknown digest or signer never allows a
 * plugin. An unknown digest also counts as a blocked one.
 */
export async function refusedByLists(
  plugin: Plugin,
  { allow, block = [], signerOf }: PluginLists,
  options: PluginCallOptions,
): Promise<SkillDiagnostic | null> {
  const all = [...(allow ?? []), ...block];
  if (all.length === 0 && allow === undefined) return null;
  const digest = all.some((entry) => entry.digest !== undefined) ? ((await pluginDigest(plugin.files, options))?.digest ?? null) : null;
  const signer = all.some((entry) => entry.signer !== undefined) ? ((await signerOf?.(plugin, options)) ?? null) : null;
  const { name } = plugin.manifest;
  const matches = (entry: PluginListEntry, unknown: boolean): boolean =>
    isNamed(entry.name, name) &&
    (entry.digest === undefined || (digest === null ? unknown : digest === entry.digest)) &&
    (entry.signer === undefined || (signer === null ? false : signer === entry.signer));
  const why = block.some((entry) => matches(entry, true))
    ? 'it is blocked'
    : allow?.some((entry) => matches(entry, false)) === false
      ? 'no entry of allow means it'
      : null;
  if (why === null) return null;
  return {
    code: 'plugin-not-allowed',
    severity: 'error',
    message: `Plugin ${JSON.stringify(name)} is left out: ${why}.`,
    path: 'plugin.json',
    fix: 'Change the lists of the host, or remove the plugin.',
  };
}

function isNamed(wanted: string | undefined, name: string): boolean {
  if (wanted === undefined) return true;
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
}
