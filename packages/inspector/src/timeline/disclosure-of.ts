import type { Skillset } from '@repertoire/skills-core';
import { objectOf, textOf } from '../recording/json-shape.ts';
import type { RecordedDisclosure, RecordedResult } from '../recording/recording.ts';

/**
 * What the result of one of our own tools disclosed; `refused` for one that answered with an error;
 * `undefined` for a tool of the host. A load is known by its frame, so that a text that only looks
 * like one is none.
 */
export function disclosureOf(
  { tool, output }: Pick<RecordedResult, 'tool' | 'output'>,
  input: unknown,
  toolNames: Skillset['toolNames'],
): RecordedDisclosure | 'refused' | undefined {
  const role = Object.entries(toolNames).find(([, name]) => name === tool)?.[0];
  if (role === undefined) return undefined;
  if (output.startsWith('Error (')) return 'refused';
  const fields = objectOf(input);
  const skill = textOf(fields['skill']) || textOf(fields['name']);
  switch (role) {
    case 'load':
      return { kind: 'load', skill: /^<skill_content name="([^"]*)"/.exec(output)?.[1] ?? skill };
    case 'unload':
      return { kind: 'unload', skill };
    case 'search':
    case 'list':
      return { kind: 'search', skill: textOf(fields['query']) };
    case 'runScript':
      return { kind: 'script', skill, path: textOf(fields['script']) };
    case 'propose':
      // It discloses nothing.
      return undefined;
    case 'runWorkflow':
      return { kind: 'script', skill };
    default:
      return { kind: 'read', skill, ...(typeof fields['path'] === 'string' && { path: fields['path'] }) };
  }
}

/** Whether a result is a skill's text, and not "already loaded". */
export function isSkillText(output: string): boolean {
  return output.startsWith('<skill_content') || output.startsWith('Base directory for this skill: ');
}
