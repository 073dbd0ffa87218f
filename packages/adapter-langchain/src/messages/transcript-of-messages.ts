import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { SkillTranscriptEntry } from '@repertoire/skills-core/state';
import { lengthOf, tokensOfLength } from './estimate-tokens.ts';

/**
 * The finished tool calls of a conversation, oldest first, in no framework's shape. A call that failed or has no result yet is not finished, and a result without its
 * call proves nothing.
 *
 * @example
 * ```ts
 * import type { BaseMessage } from '@langchain/core/messages';
 * import { transcriptOfMessages } from '@repertoire/adapter-langchain/langgraph';
 * import type { SkillState } from '@repertoire/skills-core';
 * import { skillStateFromTranscript } from '@repertoire/skills-core/state';
 *
 * export function stateOf(messages: readonly BaseMessage[]): SkillState {
 *   return skillStateFromTranscript(transcriptOfMessages(messages));
 * }
 * ```
 */
export function transcriptOfMessages(messages: readonly BaseMessage[]): SkillTranscriptEntry[] {
  const entries: SkillTranscriptEntry[] = [];
  const open = new Map<string, { readonly name: string; readonly args: unknown; readonly at: number }>();
  let characters = 0;
  for (const message of messages) {
    if (AIMessage.isInstance(message)) {
      // Calls of one message are at one place, which is what a tool is told when it runs.
      const at = tokensOfLength(characters);
      for (const { id, name, args } of message.tool_calls ?? []) if (id !== undefined) open.set(id, { name, args, at });
    }
    characters += lengthOf(message);
    if (!ToolMessage.isInstance(message)) continue;
    const call = open.get(message.tool_call_id);
    // Some models count their calls afresh each turn, so an id answers for its last call only.
    open.delete(message.tool_call_id);
    if (call === undefined || message.status === 'error') continue;
    entries.push({ tool: call.name, input: call.args, output: message.text, at: call.at });
  }
  return entries;
}
