import { shownSource } from '../catalog/shown-source.ts';
import { compareResources } from '../contract/order.ts';
import type { SkillResourceEntry } from '../contract/skill-provider.ts';
import { frame } from '../prompt/frames.ts';
import { plainWord } from '../prompt/source-words.ts';
import type { ResourceFilter } from './find-resource.ts';
import { readSkillInUse } from './pinned/read-skill-in-use.ts';
import { describeTool } from './describe-tool.ts';
import { runTool } from './run-tool.ts';
import type { SkillTool } from './skill-tool.ts';
import type { ToolEnvironment } from './tool-environment.ts';
import { ToolInput } from './tool-input.ts';

const maxFiles = 200;

/** `list_skill_resources` and `list_skill_assets`, of the full surface. */
export function listSkillFilesTool(environment: ToolEnvironment, role: 'listResources' | 'listAssets', only: ResourceFilter): SkillTool {
  const { names } = environment;
  const name = names[role];
  return {
    ...describeTool(role, names),
    execute: (input, context) =>
      runTool(name, environment, context, async () => {
        const fields = new ToolInput(name, input);
        const asked = fields.requiredText('skill', 'skill_id', 'skill_name', 'name', 'id');
        const { skill } = await readSkillInUse(environment, asked, context, { version: fields.optionalText('version') });
        // Who may not load a skill may not list its files.
        await environment.assertAllowed('load', skill);
        const entries = skill.resources.filter(only).sort(compareResources);
        return { text: frame('skill_files', { skill: skill.name, source: shownSource(skill) }, render(entries)), events: [] };
      }),
  };
}

function render(entries: readonly SkillResourceEntry[]): string {
  if (entries.length === 0) return '(none)';
  const lines = entries
    .slice(0, maxFiles)
    .map(
      ({ path, mediaType, size, description }) =>
        `${plainWord(path)} (${plainWord(mediaType)}${size === undefined ? '' : `, ${size} bytes`})${description === undefined ? '' : `: ${plainWord(description)}`}`,
    );
  const rest = entries.length - lines.length;
  return [...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}
