import { activateSkill } from './activation/activate-skill.ts';
import { findSkill } from '../catalog/find-skill.ts';
import { describeTool } from './describe-tool.ts';
import { skillListText } from './list-skills.ts';
import { makeTool } from './run-tool.ts';
import { siblingFile } from './sibling-file.ts';
import type { SkillTool } from './skill-tool.ts';
import { spanAttributes, type ToolEnvironment } from './tool-environment.ts';

/** Level 2 as a tool: `load_skill`. */
export function loadSkillTool(environment: ToolEnvironment): SkillTool {
  const { catalog, names } = environment;
  return makeTool(environment, describeTool('load', names, catalog.toolText), async (fields, context, span) => {
    const name = fields.optionalText('name', 'skill_name', 'skill_id', 'skill', 'id');
    // Models that were taught by another system ask this tool for the list.
    if (name === undefined && fields.isSet('list_skills')) {
      return { text: skillListText(environment, fields.optionalLine('start') ?? 1, names.load), events: [] };
    }
    const asked = name ?? fields.requiredText('name');
    // Links between skills are paths: `../billing/SKILL.md` asks for billing.
    const isName = catalog.listed.some((listed) => listed.name === asked);
    const skill = findSkill(catalog, (isName ? undefined : siblingFile(catalog, asked, undefined)?.skill) ?? asked);
    span.set(spanAttributes(skill));
    const request = { skill, version: fields.optionalText('version'), arguments: fields.optionalText('arguments'), by: 'model' } as const;
    return activateSkill(environment, request, context);
  });
}
