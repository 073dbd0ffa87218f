import { scriptedModel, type ScriptedModel, type ScriptedModelCall } from '@repertoire/skills-testkit/ai-sdk';

/** One answer of the model: a text, or tool calls that run at the same time. */
export type Turn = string | readonly (readonly [toolName: string, input: unknown])[];

/** A model that plays these turns, one a request. */
export function modelOf(turns: readonly Turn[]): ScriptedModel {
  return scriptedModel(
    turns.map((turn) =>
      typeof turn === 'string' ? { text: turn } : { toolCalls: turn.map(([toolName, input]) => ({ toolName, input })) },
    ),
  );
}

/** What a request told of tools, by name and in order. */
export function toolNames({ tools = [] }: ScriptedModelCall): string[] {
  return tools.map(({ name }) => name);
}

/** What the model read of its last tool calls. */
export function toolTexts({ prompt }: ScriptedModelCall): string[] {
  const last = prompt.at(-1);
  if (last?.role !== 'tool') return [];
  return last.content.flatMap((part) =>
    part.type === 'tool-result' ? [`${part.output.type}: ${'value' in part.output ? String(part.output.value) : ''}`] : [],
  );
}
