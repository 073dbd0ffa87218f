import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { SkillTurn } from '@repertoire/skills-core/adapter';
import { turnsOfParts, type Measure, type TurnPart } from '@repertoire/skills-core/adapter';

/**
 * The messages of a conversation, independent of the framework. A call that failed is not finished.
 */
export function turnsOfMessages(messages: readonly BaseMessage[], measure?: Measure): SkillTurn[] {
  return turnsOfParts(
    messages.map((message) => ({ role: roleOf(message), parts: partsOf(message) })),
    measure,
  );
}

function partsOf(message: BaseMessage): TurnPart[] {
  const { text } = message;
  if (ToolMessage.isInstance(message))
    return [{ type: 'result', id: message.tool_call_id, text: message.status === 'error' ? undefined : text, read: text }];
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  const called = calls.map(({ id, name: tool, args: input }): TurnPart =>
    id === undefined ? { type: 'text', text: JSON.stringify(input) ?? '' } : { type: 'call', id, tool, input },
  );
  return [{ type: 'step' }, ...called, { type: 'text', text }];
}

function roleOf({ type }: BaseMessage): SkillTurn['role'] {
  if (type === 'ai') return 'assistant';
  if (type === 'tool') return 'tool';
  return type === 'system' ? 'system' : 'user';
}
