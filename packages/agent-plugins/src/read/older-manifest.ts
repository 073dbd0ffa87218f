import type { SkillDiagnostic } from '@repertoire/skills-core';
import { fieldOf, isJsonObject, suggestSkillName } from '@repertoire/skills-core/internal';
import type { PluginCallOptions, PluginFiles } from '../files/plugin-files.ts';
import { isPluginName, type PluginManifest } from './plugin-manifest.ts';
import { insidePath } from './plugin-path.ts';
import { readJson } from './read-json.ts';
import type { SkillsPlace } from './read-plugin.ts';

/** What an older manifest is read for: names and places of skills. */
export interface OlderManifest {
  readonly manifest: PluginManifest;
  readonly skillPlaces: readonly SkillsPlace[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Where clients kept manifests before the standard. */
export const olderManifests = ['.claude-plugin/plugin.json', '.codex-plugin/plugin.json'] as const;

/**
 * Reads the manifest of a plugin that has no `plugin.json`. Nothing in it that executes is looked
 * at: no servers, hooks, commands or agents.
 *
 * @returns `null` if there is none
 */
export async function readOlderManifest(files: PluginFiles, options: PluginCallOptions): Promise<OlderManifest | null> {
  for (const path of olderManifests) {
    const json = await readJson(files, path, options);
    if (json.state !== 'read' || !isJsonObject(json.value)) continue;
    const read = olderManifest(json.value, path);
    if (read !== null) return read;
  }
  return null;
}

/** The same from a value: a file, or an entry of a marketplace. */
export function olderManifest(value: Readonly<Record<string, unknown>>, path: string): OlderManifest | null {
  const written = fieldOf(value, 'name');
  const name = typeof written !== 'string' ? '' : isPluginName(written) ? written : suggestSkillName(written);
  if (!isPluginName(name)) return null;
  const text = (field: 'version' | 'description'): Partial<PluginManifest> => {
    const found = fieldOf(value, field);
    return typeof found === 'string' ? { [field]: found } : {};
  };
  const places = fieldOf(value, 'skills') ?? [];
  const own = (Array.isArray(places) ? places : [places]).flatMap((place: unknown): SkillsPlace[] => {
    const inside = typeof place === 'string' ? insidePath(place.startsWith('./') ? place : `./${place}`) : null;
    return inside === null || inside === '' ? [] : [{ path: inside, isFixed: false }];
  });
  const diagnostic: SkillDiagnostic = {
    code: 'plugin-older-manifest',
    severity: 'info',
    message: `Plugin ${JSON.stringify(name)} has no plugin.json, so ${path} was read for the places of its skills. Its servers, hooks and commands are not read.`,
    path,
    fix: 'Add a plugin.json by Agent Plugins 1.0.0.',
  };
  return {
    manifest: { standard: null, name, ...text('version'), ...text('description'), extensions: {} },
    skillPlaces: [{ path: 'skills', isFixed: false }, ...own],
    diagnostics: [diagnostic],
  };
}
