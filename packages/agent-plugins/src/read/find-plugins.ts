import type { SkillDiagnostic } from '@repertoire/skills-core';
import { fieldOf, isJsonObject, compareText } from '@repertoire/skills-core/internal';
import { forEachBounded } from '@repertoire/skills-core/provider';
import type { PluginCallOptions, PluginEntry, PluginFiles, PluginRoot } from '../files/plugin-files.ts';
import { olderManifest, olderManifests } from './older-manifest.ts';
import { insidePath } from './plugin-path.ts';
import { readJson } from './read-json.ts';
import { readPluginFrom, type KeptPlugin, type Plugin } from './read-plugin.ts';

/** A plugin, and the root that it was found in. */
export interface FoundPlugin extends Plugin {
  readonly root: PluginRoot;
  /** Its folder below the root; `''` where the root is the plugin. */
  readonly folder: string;
}

/** What a root holds. */
export interface FoundPlugins {
  readonly plugins: readonly FoundPlugin[];
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Whether the root is there. */
  readonly isThere: boolean;
}

const marketplace = '.claude-plugin/marketplace.json';
const concurrency = 16;
const maxFolders = 20_000;

/** Cached plugins, by their folders below a root. */
export type KeptPlugins = Map<string, KeptPlugin>;

/**
 * Finds the plugins of a root: itself, if it has a manifest; else the folders right below it that
 * have one.
 *
 * @param files those of the root, or of one look at them
 */
export async function findPlugins(
  root: PluginRoot,
  files: PluginFiles,
  kept: KeptPlugins,
  options: PluginCallOptions,
): Promise<FoundPlugins> {
  const entries = await files.list('', options);
  if (entries === null || entries === 'outside') {
    return { plugins: [], isThere: false, diagnostics: root.optional === true ? [] : [missingRoot(root)] };
  }
  if (await isPlugin(files, entries, options)) return await readAll(root, [{ folder: '', files, top: entries }], kept, [], options);
  const market = await readMarketplace(root, files, entries, options);
  if (market !== null) return await readAll(root, market.found, kept, market.diagnostics, options);
  const folders = entries.filter(({ name, kind }) => kind === 'folder' && !name.startsWith('.')).map(({ name }) => name);
  const candidates: Candidate[] = [];
  const look = async (folder: string, index: number): Promise<void> => {
    const own = files.folder(folder);
    const inner = await own.list('', options);
    if (inner !== null && inner !== 'outside' && (await isPlugin(own, inner, options)))
      candidates[index] = { folder, files: own, top: inner };
  };
  await forEachBounded(folders.sort(compareText).slice(0, maxFolders), concurrency, look, options.signal);
  const outside = entries
    .filter(({ kind, name }) => kind === 'outside' && !name.startsWith('.'))
    .map(({ name }) => linkOutside(root, name));
  const cut = folders.length > maxFolders ? [tooMany(root, folders.length)] : [];
  // Flattened, because places of folders without a plugin are holes.
  return await readAll(root, candidates.flat(), kept, [...outside, ...cut], options);
}

interface Candidate {
  readonly folder: string;
  readonly files: PluginFiles;
  /** The entries of its root, if they are known. */
  readonly top?: readonly PluginEntry[];
  /** Its entry in a marketplace, for a folder without a manifest. */
  readonly entry?: Readonly<Record<string, unknown>>;
}

async function readAll(
  root: PluginRoot,
  candidates: readonly Candidate[],
  kept: KeptPlugins,
  before: readonly SkillDiagnostic[],
  options: PluginCallOptions,
): Promise<FoundPlugins> {
  const read: { plugin: FoundPlugin | null; diagnostics: readonly SkillDiagnostic[] }[] = [];
  await forEachBounded(
    candidates,
    concurrency,
    async ({ folder, entry, files, top }, index) => {
      const keptOfIt: KeptPlugin = kept.get(folder) ?? { json: new Map() };
      kept.set(folder, keptOfIt);
      const listed = entry && olderManifest(entry, marketplace);
      const start = { files, top: top ?? (await files.list('', options)), listed, kept: keptOfIt };
      const { plugin, diagnostics } = await readPluginFrom(start, options);
      const place = [root.name, ...(folder === '' ? [] : [folder])].join('/');
      read[index] = {
        plugin: plugin && { ...plugin, root, folder },
        diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, path: `${place}/${diagnostic.path ?? ''}` })),
      };
    },
    options.signal,
  );
  return {
    plugins: read.flatMap(({ plugin }) => plugin ?? []),
    diagnostics: [...before, ...read.flatMap(({ diagnostics }) => diagnostics)],
    isThere: true,
  };
}

/**
 * Whether there is a manifest of any kind. A folder whose manifest is refused is still a plugin.
 */
function isPlugin(files: PluginFiles, entries: readonly PluginEntry[], options: PluginCallOptions): boolean | Promise<boolean> {
  return entries.some(({ name }) => name === 'plugin.json') || hasOlderManifest(files, entries, options);
}

async function hasOlderManifest(files: PluginFiles, entries: readonly PluginEntry[], options: PluginCallOptions): Promise<boolean> {
  for (const path of olderManifests) {
    const folder = path.slice(0, path.indexOf('/'));
    const inner = entries.some(({ name, kind }) => name === folder && kind === 'folder') ? await files.list(folder, options) : null;
    if (inner !== null && inner !== 'outside' && inner.some(({ name, kind }) => name === 'plugin.json' && kind === 'file')) return true;
  }
  return false;
}

async function readMarketplace(
  root: PluginRoot,
  files: PluginFiles,
  entries: readonly PluginEntry[],
  options: PluginCallOptions,
): Promise<{ found: Candidate[]; diagnostics: SkillDiagnostic[] } | null> {
  if (!entries.some(({ name, kind }) => name === '.claude-plugin' && kind === 'folder')) return null;
  const json = await readJson(files, marketplace, options);
  const listed = json.state === 'read' && isJsonObject(json.value) ? fieldOf(json.value, 'plugins') : null;
  if (!Array.isArray(listed)) return null;
  const found: Candidate[] = [];
  for (const entry of listed.slice(0, maxFolders)) {
    const source = isJsonObject(entry) ? fieldOf(entry, 'source') : null;
    // Other sources are on the web. Nothing is fetched while plugins are read.
    const folder = typeof source === 'string' ? insidePath(source.startsWith('./') ? source : `./${source}`) : null;
    if (folder !== null && isJsonObject(entry)) found.push({ folder, files: folder === '' ? files : files.folder(folder), entry });
  }
  const read: SkillDiagnostic = {
    code: 'plugin-older-manifest',
    severity: 'info',
    message: `${root.name} has a ${marketplace}, which was read for the places of ${found.length} plugins. Plugins elsewhere on the web are left out.`,
    path: `${root.name}/${marketplace}`,
    fix: 'Give each plugin a plugin.json by Agent Plugins 1.0.0.',
  };
  return { found, diagnostics: [read] };
}

function missingRoot({ name }: PluginRoot): SkillDiagnostic {
  return {
    code: 'plugin-root-missing',
    severity: 'warning',
    message: `There is no folder of plugins at ${JSON.stringify(name)}.`,
    path: name,
    fix: 'Make the folder, or leave the root out.',
  };
}

function linkOutside({ name }: PluginRoot, link: string): SkillDiagnostic {
  return {
    code: 'plugin-link-outside',
    severity: 'warning',
    message: `${JSON.stringify(link)} is a link that leads out of ${JSON.stringify(name)}, so it is not followed.`,
    path: `${name}/${link}`,
    fix: 'Name the folder that it leads to as a root of its own.',
  };
}

function tooMany({ name }: PluginRoot, count: number): SkillDiagnostic {
  return {
    code: 'plugins-truncated',
    severity: 'warning',
    message: `${JSON.stringify(name)} has ${count} folders, and only the first ${maxFolders} are looked into.`,
    path: name,
    fix: 'Divide it into several roots.',
  };
}
