import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { SkillTranscriptEntry } from '@repertoire/skills-core';

/**
 * The finished tool calls of a conversation, oldest first, in no framework's shape. A call that failed or has no result yet is not finished, and a result without its
 * call proves nothing.
 *
 * @example
 * ```ts
 * import type { BaseMessage } from '@langchain/core/messages';
 * import { transcriptOfMessages } from '@repertoire/adapter-langchain/langgraph';
 * import { skillStateFromTranscript, type SkillState } from '@repertoire/skills-core';
 *
 * export function stateOf(messages: readonly BaseMessage[]): SkillState {
 *   return skillStateFromTranscript(transcriptOfMessages(messages));
 * }
 * ```
 */
export function transcriptOfMessages(messages: readonly BaseMessage[]): SkillTranscriptEntry[] {
  const entries: SkillTranscriptEntry[] = [];
  const open = new Map<string, { readonly name: string; readonly args: unknown }>();
  for (const message of messages) {
    if (AIMessage.isInstance(message)) for (const call of message.tool_calls ?? []) if (call.id !== undefined) open.set(call.id, call);
    if (!ToolMessage.isInstance(message)) continue;
    const call = open.get(message.tool_call_id);
    // Some models count their calls afresh each turn, so an id answers for its last call only.
    open.delete(message.tool_call_id);
    if (call !== undefined && message.status !== 'error') entries.push({ tool: call.name, input: call.args, output: message.text });
  }
  return entries;
}
