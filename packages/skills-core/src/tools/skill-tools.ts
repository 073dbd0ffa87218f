import type { SkillMetadata } from '../contract/skill-provider.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { ResourceFilter } from './find-resource.ts';
import { listSkillFilesTool } from './list-skill-files.ts';
import { listSkillsTool } from './list-skills.ts';
import { loadSkillTool } from './load-skill.ts';
import { readSkillFileTool } from './read-skill-file.ts';
import type { SkillTool } from './skill-tool.ts';
import type { ToolEnvironment } from './tool-environment.ts';
import type { SkillToolRole } from '../prompt/tool-names.ts';
import { unloadSkillTool } from './unload-skill.ts';

/**
 * Which tools the model gets. `progressive`: load a skill, read its files, and end one where that has an effect. `full`: the seven tools of the skill-card
 * system, with listing and reading apart for resources and assets.
 */
export type SkillToolSurface = 'progressive' | 'full';

const isAsset: ResourceFilter = ({ kind }) => kind === 'asset';
const isNoAsset: ResourceFilter = (entry) => !isAsset(entry);

/** The tools that go with a catalog; their order never changes. */
export function skillTools(environment: ToolEnvironment, surface: SkillToolSurface, withUnload: boolean): readonly SkillTool[] {
  if (surface === 'full') {
    return [
      listSkillsTool(environment),
      loadSkillTool(environment),
      unloadSkillTool(environment),
      listSkillFilesTool(environment, 'listResources', isNoAsset),
      readSkillFileTool(environment, 'loadResource', isNoAsset),
      listSkillFilesTool(environment, 'listAssets', isAsset),
      readSkillFileTool(environment, 'loadAsset', isAsset),
    ];
  }
  return [loadSkillTool(environment), readSkillFileTool(environment), ...(withUnload ? [unloadSkillTool(environment)] : [])];
}

/** Whether a tool reads the files of skills that are loaded already. */
export function readsFiles(role: SkillToolRole): boolean {
  return role !== 'load' && role !== 'unload' && role !== 'list';
}

/** Whether ending the skill has an effect beyond its words: tools that close, a model that goes, a restriction that falls. */
export function hasLastingEffect(skill: SkillMetadata): boolean {
  const { tools, allowedTools, model } = skill;
  return (tools?.length ?? 0) > 0 || (isTrusted(skill) && (model !== undefined || (allowedTools?.length ?? 0) > 0));
}
