import type { GetPromptResult } from '@modelcontextprotocol/server';
import { emptySkillState, type SkillMetadata } from '@repertoire/skills-core';
import { userInvocableSkills } from '@repertoire/skills-core/adapter';
import type { ExposedSkills } from './exposed-skills.ts';

/** The skills that are offered as prompts. */
export async function promptSkills(skills: ExposedSkills, signal?: AbortSignal): Promise<readonly SkillMetadata[]> {
  return userInvocableSkills((await skills.session(skills.progressive, signal)).catalog);
}

/** The arguments that a person can fill in: those of the skill by name, or a single one for all. */
export function promptArguments({
  arguments: names = [],
  argumentHint,
}: SkillMetadata): readonly { readonly name: string; readonly description: string }[] {
  if (names.length === 0) return [{ name: 'arguments', description: argumentHint ?? 'What to give the skill to work on.' }];
  return names.map((name) => ({ name, description: argumentHint ?? name }));
}

/** The skill as a person starts it: its text with the arguments inserted. */
export async function renderPrompt(
  skills: ExposedSkills,
  skill: SkillMetadata,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<GetPromptResult> {
  const names = skill.arguments ?? [];
  const values = names.length > 0 ? names.map((name) => quoted(textOf(given[name]))).join(' ') : textOf(given['arguments']);
  const session = await skills.session(skills.progressive, signal);
  // The newest one, with or without a version.
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

/** Quoted, so that each value stays one argument, and an empty one keeps its position. */
function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
