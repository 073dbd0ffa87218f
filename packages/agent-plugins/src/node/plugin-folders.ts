import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { folderFiles } from '@repertoire/skill-fs/internal';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import type { PluginRoot } from '../files/plugin-files.ts';

/** Options of {@link pluginFolders}. */
export interface PluginFoldersOptions {
  /** Whether the host trusts the plugins in these folders. @default true */
  readonly trusted?: boolean | undefined;
}

/** Options of {@link standardPluginRoots}. */
export interface StandardPluginRootsOptions {
  /** The folder that the project's place is looked for from. @default process.cwd() */
  readonly cwd?: string | undefined;
  /** The person's home folder. @default os.homedir() */
  readonly home?: string | undefined;
  /** Whether you trust these places, where any repository can put plugins. @default false */
  readonly trusted?: boolean | undefined;
}

const knownOfFolders: OptionRules<PluginFoldersOptions> = { trusted: 'boolean' };
const knownOfStandard: OptionRules<StandardPluginRootsOptions> = { cwd: 'string', home: 'string', trusted: 'boolean' };

/**
 * Turns folders on disk into roots of {@link pluginProvider}: each is a plugin, or holds plugins.
 * They are read as `@repertoire/skill-fs` reads folders: links are followed inside a plugin, and
 * nothing outside of it is read.
 *
 * @param folders absolute, relative to the working directory, from the home folder (`~/plugins`),
 *   or `file:` URLs
 * @throws {SkillError} `invalid-options` for what names no folder
 * @example
 * ```ts
 * import { pluginProvider } from '@repertoire/agent-plugins';
 * import { pluginFolders } from '@repertoire/agent-plugins/node';
 *
 * export const provider = pluginProvider({ roots: pluginFolders(['./plugins']) });
 * ```
 */
export function pluginFolders(folders: readonly (string | URL)[], options: PluginFoldersOptions = {}): readonly PluginRoot[] {
  assertKnownOptions('pluginFolders', options, knownOfFolders);
  return folders.map((folder) => {
    const { path: absolute, files } = folderFiles(folder);
    return { files, name: path.basename(absolute) || absolute, trusted: options.trusted ?? true };
  });
}

/**
 * Returns the places where plugins usually are: `.agents/plugins` of the project, then of the
 * person. The project is the nearest folder with a `.git`, or else the working directory. They need
 * not exist.
 *
 * @example
 * ```ts
 * import { pluginProvider } from '@repertoire/agent-plugins';
 * import { standardPluginRoots } from '@repertoire/agent-plugins/node';
 *
 * export const provider = pluginProvider({ roots: standardPluginRoots() });
 * ```
 */
export function standardPluginRoots(options: StandardPluginRootsOptions = {}): readonly PluginRoot[] {
  assertKnownOptions('standardPluginRoots', options, knownOfStandard);
  const { cwd = process.cwd(), home = homedir(), trusted = false } = options;
  const places = [...new Set([projectFolder(path.resolve(cwd)), path.resolve(home)])];
  return places.map((place) => {
    const folder = path.join(place, '.agents', 'plugins');
    return { files: folderFiles(folder).files, name: folder, trusted, optional: true };
  });
}

function projectFolder(cwd: string): string {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    if (folder === path.dirname(folder)) return cwd;
  }
}
