import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { SkillTranscriptEntry, SkillTurn } from '@repertoire/skills-core/adapter';

/** Measures a text: `session.lengthOf`. */
export type LengthOf = (text: string) => number;

/**
 * The messages of a conversation, independent of the framework: the finished tool calls of each,
 * and its length if `lengthOf` is passed. A call that failed or has no result yet is not finished.
 * A result without its call is ignored.
 *
 * @param lengthOf measures a text. Without it, lengths are left out
 */
export function turnsOfMessages(messages: readonly BaseMessage[], lengthOf?: LengthOf): SkillTurn[] {
  const open = new Map<string, { readonly name: string; readonly args: unknown; readonly at: number }>();
  let tokens = 0;
  return messages.map((message): SkillTurn => {
    const before = tokens;
    const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
    for (const { id, name, args } of calls) {
      // All calls of a message share the message's start offset, matching `SkillToolContext.at`.
      if (id !== undefined) open.set(id, { name, args, at: before });
      tokens += lengthOf?.(JSON.stringify(args) ?? '') ?? 0;
    }
    tokens += lengthOf?.(message.text) ?? 0;
    return {
      role: roleOf(message),
      entries: entriesOf(message, open, lengthOf !== undefined),
      callIds: calls.flatMap(({ id }) => (id === undefined ? [] : [id])),
      ...(lengthOf !== undefined && { tokens: tokens - before }),
    };
  });
}

function entriesOf(
  message: BaseMessage,
  open: Map<string, { readonly name: string; readonly args: unknown; readonly at: number }>,
  withPlaces: boolean,
): SkillTranscriptEntry[] {
  if (!ToolMessage.isInstance(message)) return [];
  const call = open.get(message.tool_call_id);
  // Some models number their calls from the start in each turn, so an id refers to its latest call.
  open.delete(message.tool_call_id);
  if (call === undefined || message.status === 'error') return [];
  return [{ tool: call.name, input: call.args, output: message.text, ...(withPlaces && { at: call.at }) }];
}

function roleOf(message: BaseMessage): SkillTurn['role'] {
  switch (message.type) {
    case 'ai':
      return 'assistant';
    case 'tool':
      return 'tool';
    case 'system':
      return 'system';
    default:
      return 'user';
  }
}
