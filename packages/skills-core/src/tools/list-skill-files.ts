import { skillNotFound } from '../catalog/find-skill.ts';
import { findSkillInUse } from '../policy/find-skill-in-use.ts';
import type { SkillResourceEntry } from '../contract/skill-provider.ts';
import { insideElement, oneLine } from '../prompt/escape.ts';
import { frame } from '../prompt/frames.ts';
import { argumentTexts, toolTexts } from '../prompt/model-texts.ts';
import { versionInForce, type ResourceFilter } from './find-resource.ts';
import { runTool } from './run-tool.ts';
import type { SkillTool } from './skill-tool.ts';
import type { ToolEnvironment } from './tool-environment.ts';
import { ToolInput } from './tool-input.ts';

/** The most files in one answer. */
const maxFiles = 200;

/** Files of a skill by kind, for the full surface: `list_skill_resources` and `list_skill_assets`. */
export function listSkillFilesTool(environment: ToolEnvironment, role: 'listResources' | 'listAssets', only: ResourceFilter): SkillTool {
  const { catalog, names, provider } = environment;
  const name = names[role];
  return {
    role,
    name,
    description: toolTexts[role](names),
    inputSchema: {
      type: 'object',
      properties: { skill: { type: 'string', description: argumentTexts.readSkill } },
      required: ['skill'],
      additionalProperties: false,
    },
    execute: (input, context) =>
      runTool(name, environment, context, async () => {
        const known = findSkillInUse(
          catalog,
          context.state,
          new ToolInput(name, input).requiredText('skill', 'skill_id', 'skill_name', 'name'),
        );
        // Which files there are is part of level 2: who may not load a skill may not list its files.
        await environment.assertAllowed('load', known);
        const skill = await provider.getSkill(known.name, { version: versionInForce(known, context), signal: context.signal });
        if (skill === null) throw skillNotFound(catalog.skills, known.name);
        return { text: frame('skill_files', { skill: skill.name }, render(skill.resources.filter(only))), events: [] };
      }),
  };
}

function render(entries: readonly SkillResourceEntry[]): string {
  if (entries.length === 0) return '(none)';
  const lines = entries
    .slice(0, maxFiles)
    .map(({ path, mediaType, size }) => insideElement(oneLine(`${path} (${mediaType}${size === undefined ? '' : `, ${size} bytes`})`)));
  const rest = entries.length - lines.length;
  return [...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}
