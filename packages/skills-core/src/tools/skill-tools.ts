import type { SkillMetadata } from '../contract/skill-provider.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { AddedToolRole, SkillToolNames, SkillToolRole } from '../prompt/tool-names.ts';
import { describeTool, type SkillToolDescription } from './describe-tool.ts';
import { listSkillsTool } from './list-skills.ts';
import { loadSkillTool } from './load-skill.ts';
import { listSkillFilesTool, readSkillFileTool, type ResourceFilter } from './skill-files.ts';
import type { SkillTool } from './skill-tool.ts';
import type { AddedTool, ToolEnvironment } from './tool-environment.ts';
import { unloadSkillTool } from './unload-skill.ts';

/**
 * Which tools the model gets. `progressive`: load a skill, read its files, and end one where that
 * has an effect. `full`: the seven tools of the skill-card system, with listing and reading apart
 * for resources and assets.
 */
export type SkillToolSurface = 'progressive' | 'full';

/** The options that add tools. A text in place of `scripts` adds none. */
type AddingOptions<Context> = Readonly<
  Partial<Record<'discovery' | 'scripts' | 'workflows' | 'proposals', AddedTool<Context> | string | undefined>>
>;

/** The option that adds a tool, and whether a session has a use for it. */
const added: Readonly<Record<AddedToolRole, readonly [keyof AddingOptions<never>, (environment: ToolEnvironment) => boolean]>> = {
  // Of one skill that the catalog shows, there is nothing to find.
  search: ['discovery', ({ catalog }) => catalog.skills.length > 1 || catalog.cut.dropped.length > 0],
  runScript: ['scripts', ({ catalog, approvals }) => approvals !== undefined || catalog.listed.some(isTrusted)],
  runWorkflow: ['workflows', ({ catalog }) => catalog.listed.some((skill) => isTrusted(skill) && skill.steps !== undefined)],
  propose: ['proposals', () => true],
};
const isAdded = (role: SkillToolRole): role is AddedToolRole => Object.hasOwn(added, role);

function addedTool<Context>(role: AddedToolRole, options: AddingOptions<Context>): AddedTool<Context> | undefined {
  const given = options[added[role][0]];
  return typeof given === 'object' ? given : undefined;
}

const isAsset: ResourceFilter = ({ kind }) => kind === 'asset';
const isNoAsset: ResourceFilter = (entry) => !isAsset(entry);

const make: Readonly<Record<Exclude<SkillToolRole, AddedToolRole>, (environment: ToolEnvironment) => SkillTool>> = {
  list: listSkillsTool,
  load: loadSkillTool,
  unload: unloadSkillTool,
  readFile: (environment) => readSkillFileTool(environment, 'readFile'),
  listResources: (environment) => listSkillFilesTool(environment, 'listResources', isNoAsset),
  loadResource: (environment) => readSkillFileTool(environment, 'loadResource', isNoAsset),
  listAssets: (environment) => listSkillFilesTool(environment, 'listAssets', isAsset),
  loadAsset: (environment) => readSkillFileTool(environment, 'loadAsset', isAsset),
};

const runs: readonly SkillToolRole[] = ['runScript', 'runWorkflow'];
const rolesOfSurface: Readonly<Record<SkillToolSurface, readonly SkillToolRole[]>> = {
  progressive: ['load', 'search', 'readFile', ...runs, 'unload', 'propose'],
  full: ['list', 'search', 'load', 'unload', 'listResources', 'loadResource', 'listAssets', 'loadAsset', ...runs, 'propose'],
};

/** The roles of a surface, in an order that never changes. */
function rolesOf(surface: SkillToolSurface, unload: boolean): readonly SkillToolRole[] {
  return rolesOfSurface[surface].filter((role) => role !== 'unload' || unload || surface === 'full');
}

/** The tools that some session may have. */
export function describeSkillTools<Context>(
  names: SkillToolNames,
  options: AddingOptions<Context>,
  { surface, unload }: { readonly surface: SkillToolSurface; readonly unload: boolean },
): readonly SkillToolDescription[] {
  return rolesOf(surface, unload).flatMap((role) =>
    isAdded(role) ? (addedTool(role, options)?.describeTool(names) ?? []) : describeTool(role, names),
  );
}

/** The tools of a session. */
export function skillTools<Context>(
  environment: ToolEnvironment,
  options: AddingOptions<Context>,
  { surface, unload, context }: { readonly surface: SkillToolSurface; readonly unload: boolean; readonly context: Context },
): readonly SkillTool[] {
  return rolesOf(surface, unload).flatMap((role) => {
    if (!isAdded(role)) return make[role](environment);
    return (added[role][1](environment) && addedTool(role, options)?.tool(environment, context)) || [];
  });
}

/** Whether a tool reads the files of skills that are loaded already. */
export function readsFiles(role: SkillToolRole): boolean {
  return role !== 'propose' && role !== 'load' && role !== 'unload' && role !== 'list' && role !== 'search';
}

/** Whether ending the skill closes tools, changes the model or ends a restriction. */
export function hasLastingEffect(skill: SkillMetadata, asksPerson = false): boolean {
  if (!isTrusted(skill) && !asksPerson) return false;
  const { tools, allowedTools, model, fields } = skill;
  const hasTools = fields !== undefined && ['mcps', 'local_tools'].some((field) => Object.hasOwn(fields, field));
  return hasTools || model !== undefined || (tools?.length ?? 0) > 0 || (allowedTools?.length ?? 0) > 0;
}
