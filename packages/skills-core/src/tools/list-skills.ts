import { renderCatalogList } from '../catalog/render-catalog.ts';
import { toolTexts } from '../prompt/model-texts.ts';
import { runTool } from './run-tool.ts';
import type { SkillTool } from './skill-tool.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/** Level 1 as a tool, for the full surface: `list_skills`. Gives the catalog's own snapshot, so it never names what the catalog hides. */
export function listSkillsTool(environment: ToolEnvironment): SkillTool {
  const { catalog, names } = environment;
  return {
    role: 'list',
    name: names.list,
    description: toolTexts.list(names),
    inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
    execute: (_input, context) =>
      runTool(names.list, environment, context, async () => ({ text: renderCatalogList(catalog.skills), events: [] })),
  };
}
