import type { SkillMetadata } from '../contract/skill-provider.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import { describeTool, type SkillToolDescription } from './describe-tool.ts';
import type { ResourceFilter } from './find-resource.ts';
import { listSkillFilesTool } from './list-skill-files.ts';
import { listSkillsTool } from './list-skills.ts';
import { loadSkillTool } from './load-skill.ts';
import { readSkillFileTool } from './read-skill-file.ts';
import type { SkillTool } from './skill-tool.ts';
import type { ToolEnvironment } from './tool-environment.ts';
import type { SkillToolNames, SkillToolRole } from '../prompt/tool-names.ts';
import { unloadSkillTool } from './unload-skill.ts';

/**
 * Which tools the model gets. `progressive`: load a skill, read its files, and end one where that has an effect. `full`: the seven tools of the skill-card
 * system, with listing and reading apart for resources and assets.
 */
export type SkillToolSurface = 'progressive' | 'full';

const isAsset: ResourceFilter = ({ kind }) => kind === 'asset';
const isNoAsset: ResourceFilter = (entry) => !isAsset(entry);

/** The tools that some session may have, in their order. The description of the load tool is that without a list of skills. */
export function describeSkillTools(names: SkillToolNames, surface: SkillToolSurface, withUnload: boolean, withScripts: boolean): readonly SkillToolDescription[] {
  return rolesOf(surface, withUnload, withScripts).map((role) => describeTool(role, names));
}

function rolesOf(surface: SkillToolSurface, withUnload: boolean, withScripts: boolean): readonly SkillToolRole[] {
  const scripts = withScripts ? (['runScript'] as const) : [];
  if (surface === 'full') return ['list', 'load', 'unload', 'listResources', 'loadResource', 'listAssets', 'loadAsset', ...scripts];
  return ['load', 'readFile', ...scripts, ...(withUnload ? (['unload'] as const) : [])];
}

/** The tools of a session; their order never changes. */
export function skillTools(environment: ToolEnvironment, surface: SkillToolSurface, withUnload: boolean): readonly SkillTool[] {
  const { scripts } = environment;
  const runs = typeof scripts === 'object' && environment.catalog.listed.some(isTrusted) ? scripts : undefined;
  const make: Readonly<Record<SkillToolRole, () => SkillTool | undefined>> = {
    list: () => listSkillsTool(environment),
    load: () => loadSkillTool(environment),
    unload: () => unloadSkillTool(environment),
    readFile: () => readSkillFileTool(environment),
    runScript: () => runs?.tool(environment),
    listResources: () => listSkillFilesTool(environment, 'listResources', isNoAsset),
    loadResource: () => readSkillFileTool(environment, 'loadResource', isNoAsset),
    listAssets: () => listSkillFilesTool(environment, 'listAssets', isAsset),
    loadAsset: () => readSkillFileTool(environment, 'loadAsset', isAsset),
  };
  return rolesOf(surface, withUnload, runs !== undefined).flatMap((role) => make[role]() ?? []);
}

/** Whether a tool reads the files of skills that are loaded already. */
export function readsFiles(role: SkillToolRole): boolean {
  return role !== 'load' && role !== 'unload' && role !== 'list';
}

/** Whether ending the skill has an effect beyond its words: tools that close, a model that goes, a restriction that ends. */
export function hasLastingEffect(skill: SkillMetadata): boolean {
  if (!isTrusted(skill)) return false;
  const { tools, allowedTools, model, fields } = skill;
  const brings = fields !== undefined && ['mcps', 'local_tools'].some((field) => Object.hasOwn(fields, field));
  return brings || model !== undefined || (tools?.length ?? 0) > 0 || (allowedTools?.length ?? 0) > 0;
}
