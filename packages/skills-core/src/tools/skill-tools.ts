import type { SkillMetadata } from '../contract/skill-provider.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { DescribeAddedTool } from './describe-added-tool.ts';
import { describeTool, type SkillToolDescription } from './describe-tool.ts';
import type { ResourceFilter } from './find-resource.ts';
import { listSkillFilesTool } from './list-skill-files.ts';
import { listSkillsTool } from './list-skills.ts';
import { loadSkillTool } from './load-skill.ts';
import type { SkillDiscovery } from './search/skill-discovery.ts';
import { readSkillFileTool } from './read-skill-file.ts';
import type { SkillTool } from './skill-tool.ts';
import type { ToolEnvironment } from './tool-environment.ts';
import type { AddedToolRole, SkillToolNames, SkillToolRole } from '../prompt/tool-names.ts';
import type { SkillWorkflows } from './workflows/skill-workflows.ts';
import { unloadSkillTool } from './unload-skill.ts';

/**
 * Which tools the model gets. `progressive`: load a skill, read its files, and end one where that
 * has an effect. `full`: the seven tools of the skill-card system, with listing and reading apart
 * for resources and assets.
 */
export type SkillToolSurface = 'progressive' | 'full';

const isAsset: ResourceFilter = ({ kind }) => kind === 'asset';
const isNoAsset: ResourceFilter = (entry) => !isAsset(entry);

/** Which tools there are besides those that every session has. */
export interface OptionalTools {
  readonly unload: boolean;
  /** What the host adds: each describes its tool. */
  readonly added: Readonly<Record<AddedToolRole, { readonly describeTool: DescribeAddedTool } | undefined>>;
}

/** The tools that some session may have, in order. */
export function describeSkillTools(names: SkillToolNames, surface: SkillToolSurface, has: OptionalTools): readonly SkillToolDescription[] {
  const { added } = has;
  return rolesOf(surface, has.unload, added).flatMap((role) =>
    isAdded(role) ? (added[role]?.describeTool(names) ?? []) : describeTool(role, names),
  );
}

const rolesOfSurface: Readonly<Record<SkillToolSurface, readonly SkillToolRole[]>> = {
  progressive: ['load', 'search', 'readFile', 'runScript', 'runWorkflow', 'unload', 'propose'],
  full: [
    'list',
    'search',
    'load',
    'unload',
    'listResources',
    'loadResource',
    'listAssets',
    'loadAsset',
    'runScript',
    'runWorkflow',
    'propose',
  ],
};
const addedRoles: readonly AddedToolRole[] = ['search', 'runScript', 'runWorkflow', 'propose'];
const isAdded = (role: SkillToolRole): role is AddedToolRole => (addedRoles as readonly string[]).includes(role);

function rolesOf(surface: SkillToolSurface, unload: boolean, added: Readonly<Record<AddedToolRole, unknown>>): readonly SkillToolRole[] {
  return rolesOfSurface[surface].filter((role) =>
    isAdded(role) ? added[role] !== undefined : role !== 'unload' || unload || surface === 'full',
  );
}

/** What decides which optional tools a session has, besides what its environment says. */
export interface GivenTools {
  readonly unload: boolean;
  readonly discovery: SkillDiscovery | undefined;
  readonly workflows: SkillWorkflows | undefined;
  readonly proposals: ((environment: ToolEnvironment) => SkillTool) | undefined;
}

/** The tools of a session; their order never changes. */
export function skillTools(environment: ToolEnvironment, surface: SkillToolSurface, given: GivenTools): readonly SkillTool[] {
  const { scripts, catalog, approvals } = environment;
  // Of one skill that the catalog shows, there is nothing to find.
  const finds = catalog.skills.length > 1 || catalog.cut.dropped.length > 0 ? given.discovery : undefined;
  const runs = typeof scripts === 'object' && (approvals !== undefined || catalog.listed.some(isTrusted)) ? scripts : undefined;
  const flows = catalog.listed.some((skill) => isTrusted(skill) && skill.steps !== undefined) ? given.workflows : undefined;
  const make: Readonly<Record<SkillToolRole, () => SkillTool | undefined>> = {
    list: () => listSkillsTool(environment),
    load: () => loadSkillTool(environment),
    unload: () => unloadSkillTool(environment),
    readFile: () => readSkillFileTool(environment),
    search: () => finds?.tool(environment),
    runScript: () => runs?.tool(environment),
    runWorkflow: () => flows?.tool(environment),
    propose: () => given.proposals?.(environment),
    listResources: () => listSkillFilesTool(environment, 'listResources', isNoAsset),
    loadResource: () => readSkillFileTool(environment, 'loadResource', isNoAsset),
    listAssets: () => listSkillFilesTool(environment, 'listAssets', isAsset),
    loadAsset: () => readSkillFileTool(environment, 'loadAsset', isAsset),
  };
  const added = { search: finds, runScript: runs, runWorkflow: flows, propose: given.proposals };
  return rolesOf(surface, given.unload, added).flatMap((role) => make[role]() ?? []);
}

/** Whether a tool reads the files of skills that are loaded already. */
export function readsFiles(role: SkillToolRole): boolean {
  return role !== 'propose' && role !== 'load' && role !== 'unload' && role !== 'list' && role !== 'search';
}

/** Whether ending the skill closes tools, changes the model or ends a restriction. */
export function hasLastingEffect(skill: SkillMetadata, asksPerson = false): boolean {
  if (!isTrusted(skill) && !asksPerson) return false;
  const { tools, allowedTools, model, fields } = skill;
  const brings = fields !== undefined && ['mcps', 'local_tools'].some((field) => Object.hasOwn(fields, field));
  return brings || model !== undefined || (tools?.length ?? 0) > 0 || (allowedTools?.length ?? 0) > 0;
}
