import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileSystemSkillProvider, standardSkillRoots, type FileSystemSkillProviderOptions, type SkillRoot } from '@repertoire/skill-fs';
import { composeProviders, type SkillProvider } from '@repertoire/skills-core';
import { readListing, type SkillListing } from '@repertoire/skills-core/provider';
import type { CommandIo, CommandReport } from '../commands/command.ts';
import { configName } from '../config/config-name.ts';
import { expandPath } from './expand-path.ts';
import { openArchive } from './open-archive.ts';
import { addressOf, openMcp } from './open-mcp.ts';
import { openPlugin } from './open-plugin.ts';
import { openStorage } from './open-storage.ts';
import { parseSourceWord, type SourceWord } from './source-word.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** One of the sources that a person named. Folders next to each other are one. */
export interface SourcePart {
  /** A name for people, without what may be secret. */
  readonly label: string;
  readonly provider: SkillProvider;
  /** Absolute paths of the folders; `null` for a source of another kind. */
  readonly roots: readonly string[] | null;
  /** Absolute path of a plugin, or of a folder of plugins; `null` for a source of another kind. */
  readonly plugins: string | null;
}

/** How folders are read, for commands that want something else than agents do. */
export type FolderOptions = Pick<FileSystemSkillProviderOptions, 'digests' | 'profile' | 'limits'>;

/** Skills that a person named on the command line. Dispose of it after use. */
export interface OpenedSource {
  readonly provider: SkillProvider;
  /** The sources, in the order of the words. */
  readonly parts: readonly SourcePart[];
  /** The folders among the sources, in order of priority. Empty if none is a folder. */
  readonly roots: readonly SkillRoot[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Files of a skill that are listed. Authors want to see all of them. */
const maxListedResources = 100_000;

/** Places of single agents, in the project and in the home folder. */
const otherPlaces: readonly string[] = [
  '.github/skills',
  '.codex/skills',
  '.gemini/skills',
  '.copilot/skills',
  '.cursor/skills',
  '.opencode/skills',
  '.config/opencode/skills',
];

/** Folders next to each other, or one source of another kind. */
type SourceGroup =
  | readonly SkillRoot[]
  | { readonly archive: string; readonly label: string }
  | Exclude<SourceWord, { readonly kind: 'path' }>;

/**
 * Opens the sources that a person named: folders, globs of folders, archives, `http(s)` URLs, MCP
 * servers and storage; see `parseSourceWord`. The first source that has a skill of some name wins,
 * but none without trust takes a name of a folder. Without words: the places where agents keep
 * skills by convention, see `standardSkillRoots`.
 *
 * @throws {SkillError} `invalid-options` for a path that does not exist, and for what is no source;
 *   `source-unavailable` for a server that cannot be reached
 */
export async function openSource(
  words: readonly string[],
  io: Pick<CommandIo, 'cwd' | 'env' | 'signal'>,
  report?: Pick<CommandReport, 'progress'>,
  folderOptions: FolderOptions = {},
): Promise<OpenedSource> {
  const named = words.length === 0 ? await configuredSources(io.cwd) : words;
  const groups = named.length === 0 ? standardPlaces(io.cwd, io.env) : await groupSources(named, io.cwd);
  const parts: SourcePart[] = [];
  const dispose = async (): Promise<void> => {
    await Promise.all(parts.map(async ({ provider }) => await provider[Symbol.asyncDispose]?.()));
  };
  try {
    for (const [index, group] of groups.entries()) {
      io.signal.throwIfAborted();
      if (!isFolders(group)) report?.progress(`Opening ${shownName(group)}…`);
      const provider = await openGroup(group, groups.length === 1 ? '' : `-${index + 1}`, io, folderOptions);
      parts.push(
        isFolders(group)
          ? { label: 'folders', provider, roots: group.map(({ path: root }) => String(root)), plugins: null }
          : { label: shownName(group), provider, roots: null, plugins: 'kind' in group && group.kind === 'plugin' ? group.folder : null },
      );
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  const providers = parts.map(({ provider }) => provider);
  const [only] = providers;
  const provider = only !== undefined && providers.length === 1 ? only : composeProviders(providers, { label: 'sources' });
  return { provider, parts, roots: groups.flatMap((group) => (isFolders(group) ? group : [])), [Symbol.asyncDispose]: dispose };
}

/** Sources of the configuration. Imports nothing where there is none. */
async function configuredSources(cwd: string): Promise<readonly string[]> {
  if (!existsSync(path.join(cwd, configName))) return [];
  const { readConfig } = await import('../config/read-config.ts');
  return (await readConfig({ cwd })).sources ?? [];
}

/** Level 1 of every skill of opened sources; people see that it is under way. */
export async function listSource(
  { provider }: Pick<OpenedSource, 'provider'>,
  { signal }: Pick<CommandIo, 'signal'>,
  report: Pick<CommandReport, 'progress'>,
): Promise<SkillListing> {
  report.progress('Listing skills…');
  return await readListing(provider, { signal });
}

/** Takes the home folder from `env`, so that a calling program decides what is searched. */
function standardPlaces(cwd: string, env: CommandIo['env']): SourceGroup[] {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? homedir();
  const standard = standardSkillRoots({ cwd, home });
  const known = new Set(standard.map((root) => String(root.path)));
  const folders = [...new Set(standard.map((root) => path.dirname(path.dirname(String(root.path)))))];
  const others = folders.flatMap((folder) =>
    otherPlaces
      .map((place) => path.join(folder, place))
      // The standard's places are told even where they are missing; of these there are too many.
      .filter((full) => !known.has(full) && existsSync(full))
      .map((full) => ({ path: full, label: folder === path.resolve(home) ? 'user' : 'project', trusted: false, optional: true })),
  );
  const plugins = folders.map((folder) => path.join(folder, '.agents', 'plugins')).filter((folder) => existsSync(folder));
  return [[...standard, ...others], ...plugins.map((folder) => ({ kind: 'plugin' as const, folder }))];
}

/** Folders next to each other share a provider, which reports what one of them hides of another. */
async function groupSources(words: readonly string[], cwd: string): Promise<SourceGroup[]> {
  const groups: SourceGroup[] = [];
  let folders: SkillRoot[] | undefined;
  for (const word of words) {
    const source = parseSourceWord(word, cwd);
    if (source.kind === 'plugin' && !existsSync(source.folder))
      throw wrongUsage(`There is no folder ${JSON.stringify(source.folder)}. Correct the path behind plugin:.`);
    if (source.kind !== 'path') {
      groups.push(source);
      folders = undefined;
      continue;
    }
    const place = await expandPath(word, cwd);
    if ('archive' in place) {
      groups.push({ archive: place.archive, label: path.basename(place.archive) });
      folders = undefined;
      continue;
    }
    if (folders === undefined) groups.push((folders = []));
    for (const folder of place.folders) {
      // What was found by a glob, or by its SKILL.md, is named by its own path.
      const isNamed = folder === path.resolve(cwd, word);
      folders.push({ path: folder, label: isNamed ? word : path.relative(cwd, folder) || '.' });
    }
  }
  return groups;
}

async function openGroup(
  group: SourceGroup,
  suffix: string,
  io: Pick<CommandIo, 'cwd' | 'env' | 'signal'>,
  { digests = false, profile = 'lenient', limits }: FolderOptions,
): Promise<SkillProvider> {
  if (isFolders(group)) {
    return fileSystemSkillProvider({
      roots: group,
      label: `folders${suffix}`,
      staleAfterMs: Infinity,
      limits: { resources: maxListedResources, ...limits },
      profile,
      digests,
    });
  }
  const label = `${shownName(group)}${suffix}`;
  if ('archive' in group) return await openArchive(group.archive, label);
  switch (group.kind) {
    case 'mcp-http':
    case 'mcp-stdio':
      return await openMcp(group, label, io);
    case 'storage':
      return await openStorage(group.target, label, io.env);
    case 'plugin':
      return await openPlugin(group.folder, label);
    case 'http':
  }
  const { httpSkillProvider } = await import('@repertoire/skill-http');
  return httpSkillProvider({
    url: group.url,
    label,
    // A person typed this address. Redirects and entries cannot leave its origin.
    allowHttp: group.url.protocol === 'http:',
    allowPrivateAddresses: true,
    retries: 1,
  });
}

function isFolders(group: SourceGroup): group is readonly SkillRoot[] {
  return Array.isArray(group);
}

function shownName(group: Exclude<SourceGroup, readonly SkillRoot[]>): string {
  if ('archive' in group) return group.label;
  if (group.kind === 'http') return group.url.host;
  if (group.kind === 'plugin') return path.basename(group.folder);
  if (group.kind !== 'storage') return addressOf(group);
  return group.target.kind === 'folder' ? path.basename(group.target.folder) : group.target.name;
}
