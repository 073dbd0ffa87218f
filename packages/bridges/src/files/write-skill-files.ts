import { basename, join, resolve } from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import type { OptionRules } from '@repertoire/skills-core/internal';
import { skillDigest } from '@repertoire/skills-core/provider';
import { bridgeOptions, type BridgeOptions, type BridgeSource, type NeededContext } from '../view/bridge-options.ts';
import { skillView } from '../view/skill-view.ts';
import { pluginManifest, skillFolders, type SkillFilesLayout } from './layouts.ts';
import { digestOfFolder, kindOf, makeFolders, removeFolder, replaceFile, replaceFolder } from './safe-folder.ts';
import { readRecord, recordName, recordText } from './written-record.ts';

/** Options of {@link writeSkillFiles}. */
export interface WriteSkillFilesOptions<Context = undefined> extends BridgeOptions<Context> {
  /** The folder to write into. It is made if it does not exist. */
  readonly folder: string;
  /**
   * Where the skills lie in it. `folder`: directly. `plugin`: a plugin of Claude Code. `claude`:
   * `.claude/skills`. `agents`: `.agents/skills`. `eve`: `agent/skills`.
   * @default 'folder'
   */
  readonly layout?: SkillFilesLayout | undefined;
  /** Gives the work up between two skills. */
  readonly signal?: AbortSignal | undefined;
}

const knownOptions: OptionRules<WriteSkillFilesOptions> = {
  ...bridgeOptions,
  folder: 'string',
  layout: { folder: true, plugin: true, claude: true, agents: true, eve: true },
  signal: '{}',
};

/** What was done, as names of skills. */
export interface WrittenSkillFiles {
  /** The folder that holds the skills: what an agent is told. */
  readonly folder: string;
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
  /** Folders of these names are somebody else's, and were left as they are. */
  readonly refused: readonly string[];
}

/**
 * Writes skills as folders, for agents that read folders. Call it again to bring them up to date:
 * what changed is written, what somebody changed on disk is written again, and what is no longer
 * there is removed.
 *
 * - Each skill is written beside its place and moved there: no reader sees half of one.
 * - Only folders that this function wrote are replaced or removed; a record beside them says which.
 *   Another folder of that name is refused.
 * - Links are never followed, and are replaced where a skill belongs.
 * - Nothing is removed while the source cannot answer, or knows that it did not list everything.
 *
 * One process writes into a folder at a time.
 *
 * @throws {SkillError} `invalid-options`, `invalid-path` where a link or a file stands in the way;
 *   what the source rejects with, before anything is written
 * @example
 * ```ts
 * import { writeSkillFiles } from '@repertoire/bridges/files';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * export async function pluginOf(skillset: Skillset, folder: string) {
 *   const { written, removed } = await writeSkillFiles(skillset, { folder, layout: 'plugin' });
 *   console.log({ written, removed });
 *   return { type: 'local' as const, path: folder }; // for `plugins` of the Claude Agent SDK
 * }
 * ```
 */
export async function writeSkillFiles<Context = undefined>(
  source: BridgeSource<Context>,
  options: WriteSkillFilesOptions<Context> & NeededContext<Context>,
): Promise<WrittenSkillFiles> {
  const { folder: root, layout = 'folder', signal } = options;
  const view = skillView('writeSkillFiles', 'An agent that reads folders', source, options, knownOptions);
  if (typeof root !== 'string' || root === '') throw new SkillError('invalid-options', 'writeSkillFiles needs a `folder`.');
  // Everything is asked before anything is written, so that a source that fails changes nothing.
  const { complete } = await view.list({ signal });
  const skills = await view.getAll({ signal });

  const folder = await makeFolders(root, skillFolders[layout]);
  if (layout === 'plugin') {
    const manifest = await makeFolders(root, ['.claude-plugin']);
    await replaceFile(join(manifest, 'plugin.json'), pluginManifest(basename(resolve(root))));
  }
  const record = await readRecord(join(folder, recordName));
  const keep = (): Promise<void> => replaceFile(join(folder, recordName), recordText(record));
  const done = { folder, written: [] as string[], unchanged: [] as string[], removed: [] as string[], refused: [] as string[] };

  for (const skill of skills) {
    signal?.throwIfAborted();
    const { name } = skill.metadata;
    const place = join(folder, name);
    const isOurs = record.has(name) || (await kindOf(place)) === 'nothing';
    if (!isOurs) {
      done.refused.push(name);
      const message = `${place} was not written here, so the skill of that name is not written.`;
      const fix = 'Remove the folder, rename the skill, or write somewhere else.';
      view.warn('bridge-folder-refused', message, { skill: name, path: place, fix });
      continue;
    }
    const files = Object.fromEntries([...(await view.readAll(skill, { signal }))].map(([path, file]) => [path, file.bytes]));
    const digest = await skillDigest(files);
    if (record.get(name) === digest && (await digestOfFolder(place)) === digest) done.unchanged.push(name);
    else {
      // Before the skill: what is written and not recorded could never be replaced.
      record.set(name, digest);
      await keep();
      await replaceFolder(place, files);
      done.written.push(name);
    }
  }
  if (complete) done.removed.push(...(await removeOthers(folder, record, new Set(skills.map(({ metadata }) => metadata.name)))));
  else {
    const message = `The source did not list all of its skills, so none was removed from ${folder}.`;
    view.warn('bridge-nothing-removed', message, { path: folder, fix: 'Write again when the source answers.' });
  }
  await keep();
  return done;
}

async function removeOthers(folder: string, record: Map<string, string>, present: ReadonlySet<string>): Promise<string[]> {
  const gone = [...record.keys()].filter((name) => !present.has(name));
  for (const name of gone) {
    // The record is a file that others can write: a name that leads out of the folder is only
    // forgotten.
    if (!/[/\\]|^\.{1,2}$/.test(name)) await removeFolder(join(folder, name));
    record.delete(name);
  }
  return gone;
}
