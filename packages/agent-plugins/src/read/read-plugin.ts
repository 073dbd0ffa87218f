import type { SkillDiagnostic } from '@repertoire/skills-core';
import { compareText } from '@repertoire/skills-core/internal';
import type { PluginCallOptions, PluginEntry, PluginFiles } from '../files/plugin-files.ts';
import { readOlderManifest, type OlderManifest } from './older-manifest.ts';
import type { PluginManifest } from './plugin-manifest.ts';
import { insidePath } from './plugin-path.ts';
import { deviation } from './plugin-rules.ts';
import type { PluginServer } from './plugin-server.ts';
import { readKeptJson, type KeptJson, type ReadJson } from './read-json.ts';
import { repertoireExtension } from './repertoire-extension.ts';
import { readManifest } from './read-manifest.ts';
import { readServers } from './read-servers.ts';

/** Where a skill of a plugin lies. */
export interface PluginSkillPlace {
  /** Its folder inside the plugin: `skills/haiku`. */
  readonly path: string;
  readonly directoryName: string;
  /** The stamp of its SKILL.md, if the files have stamps. */
  readonly stamp: string | undefined;
}

/** A plugin as its files are now. */
export interface Plugin {
  readonly files: PluginFiles;
  readonly manifest: PluginManifest;
  readonly skills: readonly PluginSkillPlace[];
  /** Servers of `mcp.json` that satisfy the standard. None was contacted or started. */
  readonly servers: ReadonlyMap<string, PluginServer>;
  /** Files with evaluations under `dev.repertoire`, for `repertoire test`. */
  readonly tests: readonly string[];
}

/** What {@link readPlugin} answers. */
export interface ReadPlugin {
  /** `null` for a plugin that is refused. */
  readonly plugin: Plugin | null;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Reads a plugin by the letter of Agent Plugins 1.0.0, and the fields that the draft 1.1.0 adds:
 * the manifest first, then the fixed places. A mistake disables as little as the standard allows,
 * and is a diagnostic that names its section. No body of a skill is read, nothing is started, and
 * no schema is fetched.
 */
export async function readPlugin(files: PluginFiles, options: PluginCallOptions = {}): Promise<ReadPlugin> {
  return await readPluginFrom({ files, top: await files.list('', options) }, options);
}

/** What is known of a plugin before it is read. */
export interface PluginStart {
  readonly files: PluginFiles;
  /** The entries of its root. */
  readonly top: readonly PluginEntry[] | 'outside' | null;
  /** Its entry in a marketplace, if it has no manifest. */
  readonly listed?: OlderManifest | null | undefined;
  /** The parts that were read before. */
  readonly kept?: KeptPlugin | undefined;
}

/** The cached parts of a plugin. */
export interface KeptPlugin {
  readonly json: KeptJson;
  /** An unchanged plugin has the same manifest, skills and servers. */
  last?: { readonly manifest: ReadJson; readonly mcp: ReadJson | null; readonly found: FoundSkills; readonly read: ReadPlugin };
}

/** The same as {@link readPlugin}, but reuses cached parts. */
export async function readPluginFrom({ files, top, listed = null, kept }: PluginStart, options: PluginCallOptions): Promise<ReadPlugin> {
  const entries = new Map(top === null || top === 'outside' ? [] : top.map((entry) => [entry.name, entry]));
  const read = (path: string): Promise<ReadJson> => readKeptJson(files, path, entries.get(path)?.stamp, kept?.json, options);
  const json = entries.has('plugin.json') ? await read('plugin.json') : ({ state: 'missing' } as const);
  const refused = (diagnostic: SkillDiagnostic): ReadPlugin => ({ plugin: null, diagnostics: [diagnostic] });
  if (json.state === 'missing') {
    const older = (await readOlderManifest(files, options)) ?? listed;
    if (older === null) return refused(missing());
    const { skills, diagnostics } = await findSkills(files, older.skillPlaces, entries, options);
    return {
      plugin: { files, manifest: older.manifest, skills, servers: new Map(), tests: [] },
      diagnostics: [...older.diagnostics, ...diagnostics],
    };
  }
  if (json.state === 'outside') {
    return refused(
      deviation('plugin-manifest-outside', 'error', 'The plugin is refused: plugin.json leads out of it.', {
        path: 'plugin.json',
        fix: 'Put the file itself there.',
      }),
    );
  }
  if (json.state === 'invalid') {
    return refused(
      deviation('plugin-manifest-json', 'error', `The plugin is refused: plugin.json cannot be read: ${json.why}.`, {
        path: 'plugin.json',
        fix: 'Write a JSON object in UTF-8.',
      }),
    );
  }
  const found = await findSkills(files, [{ path: 'skills', isFixed: true }], entries, options);
  const mcpJson = entries.has('mcp.json') ? await read('mcp.json') : null;
  const last = kept?.last;
  if (last?.manifest === json && last.mcp === mcpJson && isSameSkills(last.found, found))
    return { plugin: last.read.plugin && { ...last.read.plugin, files }, diagnostics: last.read.diagnostics };
  const { manifest, diagnostics } = readManifest(json.value);
  if (manifest === null) return { plugin: null, diagnostics };
  const icon = await iconProblem(files, manifest, options);
  const mcp = await readServers(files, manifest, mcpJson, options);
  const complete: ReadPlugin = {
    plugin: { files, manifest, skills: found.skills, servers: mcp.servers, tests: repertoireExtension(manifest).tests },
    diagnostics: [...diagnostics, ...icon, ...found.diagnostics, ...mcp.diagnostics],
  };
  if (kept !== undefined) kept.last = { manifest: json, mcp: mcpJson, found, read: complete };
  return complete;
}

/** A folder of skills, or, in older manifests, possibly a skill itself. */
export interface SkillsPlace {
  readonly path: string;
  /** Whether it is the place of the standard, where a skill cannot lie at the top. */
  readonly isFixed: boolean;
}

interface FoundSkills {
  readonly skills: readonly PluginSkillPlace[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

function isSameSkills(before: FoundSkills, now: FoundSkills): boolean {
  return (
    before.skills.length === now.skills.length &&
    now.skills.every(({ path, stamp }, index) => path === before.skills[index]?.path && stamp === before.skills[index].stamp) &&
    JSON.stringify(before.diagnostics) === JSON.stringify(now.diagnostics)
  );
}

async function findSkills(
  files: PluginFiles,
  places: readonly SkillsPlace[],
  top: ReadonlyMap<string, PluginEntry>,
  options: PluginCallOptions,
): Promise<FoundSkills> {
  const skills = new Map<string, PluginSkillPlace>();
  const diagnostics: SkillDiagnostic[] = [];
  const look = async (path: string): Promise<boolean> => {
    const entries = await files.list(path, options);
    const main = entries === 'outside' ? undefined : entries?.find(({ name }) => name === 'SKILL.md');
    const directoryName = path.slice(path.lastIndexOf('/') + 1).normalize('NFC');
    if (entries === 'outside' || main?.kind === 'outside') {
      diagnostics.push(
        deviation('plugin-skill-outside', 'error', `Skill ${JSON.stringify(directoryName)} is skipped: it leads out of the plugin.`, {
          skill: directoryName,
          path,
          fix: 'Put the files themselves there.',
        }),
      );
    }
    if (main?.kind !== 'file') return false;
    skills.set(path, { path, directoryName, stamp: main.stamp });
    return true;
  };
  for (const { path, isFixed } of places) {
    if (isFixed && !top.has(path)) continue;
    const entries = await files.list(path, options);
    const isWrongKind = entries === null && isFixed && top.has(path);
    if (entries === 'outside' || isWrongKind) {
      diagnostics.push(
        deviation(
          'plugin-skills-place',
          'error',
          `The skills are left out: ${path} ${isWrongKind ? 'is no folder' : 'leads out of the plugin'}.`,
          {
            path,
            fix: 'Make it a folder of skills.',
          },
        ),
      );
      continue;
    }
    if (entries === null || (!isFixed && (await look(path)))) continue;
    for (const { name, kind } of [...entries].sort((a, b) => compareText(a.name, b.name))) {
      if (kind === 'folder' || kind === 'outside') await look(`${path}/${name}`);
    }
  }
  return { skills: [...skills.values()], diagnostics };
}

async function iconProblem(files: PluginFiles, { icon }: PluginManifest, options: PluginCallOptions): Promise<SkillDiagnostic[]> {
  const path = icon === undefined ? null : insidePath(icon);
  if (path === null || (path !== '' && (await files.read(path, { maxBytes: 1, ...options })) !== 'outside')) return [];
  return [
    deviation('plugin-icon', 'warning', `icon is ${JSON.stringify(icon)}, which leads out of the plugin.`, {
      path: 'plugin.json',
      fix: 'Put the file itself there.',
    }),
  ];
}

function missing(): SkillDiagnostic {
  return deviation('plugin-manifest-missing', 'error', 'There is no plugin.json, so this is no plugin.', {
    path: 'plugin.json',
    fix: 'Write one with $schema and name.',
  });
}
