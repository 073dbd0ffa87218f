import type { GetPromptResult } from '@modelcontextprotocol/server';
import { emptySkillState, type SkillMetadata } from '@repertoire/skills-core';
import { userInvocableSkills } from '@repertoire/skills-core/state';
import type { ExposedSkills } from './exposed-skills.ts';

/** The skills that are prompts. */
export async function promptSkills(skills: ExposedSkills, signal?: AbortSignal): Promise<readonly SkillMetadata[]> {
  return userInvocableSkills((await skills.session(skills.progressive, signal)).catalog);
}

/** What a person may fill in: the skill's own arguments by name, or one for all it takes. */
export function promptArguments({
  arguments: names = [],
  argumentHint,
}: SkillMetadata): readonly { readonly name: string; readonly description: string }[] {
  if (names.length === 0) return [{ name: 'arguments', description: argumentHint ?? 'What to give the skill to work on.' }];
  return names.map((name) => ({ name, description: argumentHint ?? name }));
}

/** The skill as a person starts it: its text with the arguments put in. */
export async function renderPrompt(
  skills: ExposedSkills,
  skill: SkillMetadata,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<GetPromptResult> {
  const names = skill.arguments ?? [];
  const values = names.length > 0 ? names.map((name) => quoted(textOf(given[name]))).join(' ') : textOf(given['arguments']);
  const session = await skills.session(skills.progressive, signal);
  // It is the newest, whether it has a version or not.
  const result = await session.load(
    { name: skill.name, ...(values.trim() !== '' && { arguments: values }) },
    { state: emptySkillState, signal },
  );
  if (result.error !== undefined) throw result.error;
  return { description: skill.description, messages: [{ role: 'user', content: { type: 'text', text: result.text } }] };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** So that each value stays one argument, whatever it holds; an empty one keeps its place. */
function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
