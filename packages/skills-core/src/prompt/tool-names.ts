import { SkillError } from '../errors/skill-error.ts';

/** What the skill tools are called, by what they do. */
export interface SkillToolNames {
  /** Loads a skill. @default 'load_skill' */
  readonly load: string;
  /** Searches for skills, where the host has a search. @default 'search_skills' */
  readonly search: string;
  /** Reads a file of a skill. @default 'read_skill_file' */
  readonly readFile: string;
  /** Runs a script of a skill, where the host has a runner. @default 'run_skill_script' */
  readonly runScript: string;
  /** Runs the workflow of a skill, where the host runs workflows. @default 'run_skill_workflow' */
  readonly runWorkflow: string;
  /** Proposes skills, if the host takes proposals. @default 'propose_skill' */
  readonly propose: string;
  /** Ends a skill. @default 'unload_skill' */
  readonly unload: string;
  /** Full surface: lists the skills. @default 'list_skills' */
  readonly list: string;
  /** Full surface: lists a skill's files that are to be read. @default 'list_skill_resources' */
  readonly listResources: string;
  /** Full surface: reads one of them. @default 'load_skill_resource' */
  readonly loadResource: string;
  /** Full surface: lists a skill's assets. @default 'list_skill_assets' */
  readonly listAssets: string;
  /** Full surface: reads one of them. @default 'load_skill_asset' */
  readonly loadAsset: string;
}

/** What a skill tool does; stays the same when tools are renamed. */
export type SkillToolRole = keyof SkillToolNames;

/** Tools for what the host adds: search, a runner, workflows, proposals. */
export type AddedToolRole = 'search' | 'runScript' | 'runWorkflow' | 'propose';

/** What the skill tools are called unless the host renames them. */
export const defaultSkillToolNames: SkillToolNames = Object.freeze({
  load: 'load_skill',
  search: 'search_skills',
  readFile: 'read_skill_file',
  runScript: 'run_skill_script',
  runWorkflow: 'run_skill_workflow',
  propose: 'propose_skill',
  unload: 'unload_skill',
  list: 'list_skills',
  listResources: 'list_skill_resources',
  loadResource: 'load_skill_resource',
  listAssets: 'list_skill_assets',
  loadAsset: 'load_skill_asset',
});

/** Known sets of names. `cards`: the skill-card system, with `load_skill_md`. */
export const skillToolNamePresets: Readonly<Record<'cards', Partial<SkillToolNames>>> = Object.freeze({
  cards: { load: 'load_skill_md' },
});

/** Names of tools that every common model API accepts. */
const validToolName = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/**
 * The names in force after renaming.
 *
 * @throws {SkillError} `invalid-options` for a name that model APIs refuse, or one that is given
 *   twice
 */
export function resolveSkillToolNames(renamed: Partial<SkillToolNames> | keyof typeof skillToolNamePresets = {}): SkillToolNames {
  const given = typeof renamed === 'string' ? skillToolNamePresets[renamed] : renamed;
  if (given === undefined)
    throw new SkillError(
      'invalid-options',
      `The set of names ${JSON.stringify(renamed)} is unknown. Known sets: ${Object.keys(skillToolNamePresets).join(', ')}.`,
    );
  const names: SkillToolNames = { ...defaultSkillToolNames, ...given };
  const seen = new Set<string>();
  for (const [role, name] of Object.entries(names)) {
    if (!validToolName.test(name)) {
      throw new SkillError(
        'invalid-options',
        `The name of the tool "${role}" is ${JSON.stringify(name)}. Use up to 64 letters, digits, "_" and "-", a letter or "_" first.`,
      );
    }
    if (seen.has(name))
      throw new SkillError('invalid-options', `The name ${JSON.stringify(name)} is given to two skill tools. Give each its own.`);
    seen.add(name);
  }
  return names;
}

/**
 * Guards the names of the skill tools: a host's tool of the same name would be called in their
 * place.
 *
 * @throws {SkillError} `reserved-tool-name`
 * @example
 * ```ts
 * import { createSkillset } from '@repertoire/skills-core';
 * import { assertNoReservedToolNames } from '@repertoire/skills-core/adapter';
 *
 * const { toolNames } = createSkillset({ skills: [] });
 * assertNoReservedToolNames(['search_docs'], toolNames); // 'load_skill' would throw
 * ```
 */
export function assertNoReservedToolNames(hostTools: Iterable<string>, names: SkillToolNames): void {
  const reserved = new Map(Object.entries(names).map(([role, name]) => [name, role]));
  for (const name of hostTools) {
    const role = reserved.get(name);
    if (role !== undefined) {
      throw new SkillError(
        'reserved-tool-name',
        `The tool ${JSON.stringify(name)} has the name of a skill tool. Rename it, or rename ours: createSkillset({ surface: { names: { ${role}: '…' } } }).`,
      );
    }
  }
}
