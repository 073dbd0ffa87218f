import { renderDetailedList } from '../catalog/render-catalog.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { moreSkillsText } from '../prompt/model-texts.ts';
import { describeTool } from './describe-tool.ts';
import { makeTool } from './run-tool.ts';
import type { SkillTool } from './skill-tool.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/** `list_skills`, of the full surface: the catalog's own snapshot, in parts. */
export function listSkillsTool(environment: ToolEnvironment): SkillTool {
  const { names } = environment;
  return makeTool(environment, describeTool('list', names), async (fields) => ({
    text: skillListText(environment, fields.optionalLine('start') ?? 1, names.list),
    events: [],
  }));
}

/**
 * The list from a number on, as far as it fits.
 *
 * @param tool what to call for the rest
 * @throws {SkillError} `invalid-input` for a number beyond the last skill
 */
export function skillListText({ catalog: { skills }, limits }: ToolEnvironment, start: number, tool: string): string {
  if (start > Math.max(1, skills.length)) {
    throw new SkillError('invalid-input', `There are ${skills.length} skills, so the list cannot start at ${start}.`);
  }
  const shown = fitting(skills.slice(start - 1), limits.maxResourceCharacters).map(shortRow);
  const next = start + shown.length;
  const more = next > skills.length ? [] : [moreSkillsText(tool, next, skills.length)];
  return [renderDetailedList(shown), ...more].join('\n');
}

/** The most characters of each text of a row. The format allows 1,024 for a description. */
const maxRowCharacters = 2_000;

/** A row whose texts are bounded: one skill is listed at least, whatever it says of itself. */
function shortRow(skill: SkillMetadata): SkillMetadata {
  const long = Object.entries(skill).filter(([, value]) => typeof value === 'string' && value.length > maxRowCharacters);
  const title = skill.metadata?.['title'];
  const isLong = typeof title === 'string' && title.length > maxRowCharacters;
  if (long.length === 0 && !isLong) return skill;
  const short = Object.fromEntries(long.map(([field, value]) => [field, cut(String(value))]));
  return { ...skill, ...short, ...(isLong && { metadata: { ...skill.metadata, title: cut(title) } }) };
}

function cut(text: string): string {
  return `${text.slice(0, maxRowCharacters).toWellFormed()}…`;
}

function fitting(skills: readonly SkillMetadata[], maxCharacters: number): readonly SkillMetadata[] {
  let room = maxCharacters;
  const count = skills.findIndex((skill, index) => {
    room -= renderDetailedList([shortRow(skill)]).length;
    return room < 0 && index > 0;
  });
  return count === -1 ? skills : skills.slice(0, count);
}
