import { activateSkill } from './activation/activate-skill.ts';
import { findSkill } from '../catalog/find-skill.ts';
import { argumentTexts, toolTexts } from '../prompt/model-texts.ts';
import { runTool } from './run-tool.ts';
import type { SkillTool } from './skill-tool.ts';
import { spanAttributes, type ToolEnvironment } from './tool-environment.ts';
import { ToolInput } from './tool-input.ts';

/** Level 2 as a tool: `load_skill`. */
export function loadSkillTool(environment: ToolEnvironment): SkillTool {
  const { catalog, names } = environment;
  return {
    role: 'load',
    name: names.load,
    description: [toolTexts.load(names), catalog.toolText].filter((part) => part !== '').join('\n\n'),
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: argumentTexts.loadName },
        arguments: { type: 'string', description: argumentTexts.loadArguments },
        version: { type: 'string', description: argumentTexts.loadVersion },
      },
      required: ['name'],
      additionalProperties: false,
    },
    execute: (input, context) =>
      runTool(names.load, environment, context, async (span) => {
        const fields = new ToolInput(names.load, input);
        const skill = findSkill(catalog, fields.requiredText('name', 'skill_name', 'skill_id', 'skill'));
        span.set(spanAttributes(skill));
        return activateSkill(
          environment,
          { skill, version: fields.optionalText('version'), arguments: fields.optionalText('arguments'), by: 'model' },
          context,
        );
      }),
  };
}
