import type { AgentStep } from '@repertoire/declarative';
import { oneLine } from '../text/one-line.ts';

/** What came of a step, as plain data. */
export interface StepMessage {
  readonly type: string;
  readonly name?: string | undefined;
  readonly text: string;
  readonly toolCalls?: readonly { readonly name: string; readonly input: unknown }[] | undefined;
}

const maxCharacters = 100;

/** One line for each message of a step, or one for a node that wrote none. */
export function stepLines({ node, messages }: AgentStep): string[] {
  if (messages.length === 0) return [`${node}: done`];
  return messages.map((message) => {
    const { type, name, text, toolCalls = [] } = stepMessage(message);
    const calls = toolCalls.map((call) => `calls ${call.name} ${oneLine(JSON.stringify(call.input), maxCharacters)}`);
    const said = text === '' && calls.length > 0 ? [] : [oneLine(text, maxCharacters)];
    return `${node}: ${type}${name === undefined ? '' : ` ${name}`}: ${[...said, ...calls].join(', ')}`;
  });
}

/** A message of LangChain as plain data. */
export function stepMessage(message: AgentStep['messages'][number]): StepMessage {
  const calls = (message as { readonly tool_calls?: readonly { readonly name: string; readonly args: unknown }[] }).tool_calls ?? [];
  return {
    type: message.type,
    ...(message.name !== undefined && { name: message.name }),
    text: message.text,
    ...(calls.length > 0 && { toolCalls: calls.map(({ name, args }) => ({ name, input: args })) }),
  };
}
