import type { SkillTranscriptEntry } from '@repertoire/skills-core';
import type { ModelMessage, ToolCallPart, ToolResultPart } from 'ai';

/**
 * The finished tool calls of a conversation, oldest first, in no framework's shape. A call that failed, was denied or has no result yet is not finished, and a
 * result without its call proves nothing.
 *
 * It reads messages, not steps: a call that ran after a person approved it is in the messages only.
 *
 * @example
 * ```ts
 * import { transcriptOfMessages } from '@repertoire/adapter-vercel-ai';
 * import { skillStateFromTranscript, type SkillState } from '@repertoire/skills-core';
 * import type { ModelMessage } from 'ai';
 *
 * export function stateOf(messages: readonly ModelMessage[]): SkillState {
 *   return skillStateFromTranscript(transcriptOfMessages(messages));
 * }
 * ```
 */
export function transcriptOfMessages(messages: readonly ModelMessage[]): SkillTranscriptEntry[] {
  const entries: SkillTranscriptEntry[] = [];
  const open = new Map<string, ToolCallPart>();
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-call') open.set(part.toolCallId, part);
      if (part.type !== 'tool-result') continue;
      const call = open.get(part.toolCallId);
      const output = textOf(part.output);
      // Some models count their calls afresh each turn, so an id answers for its last call only.
      open.delete(part.toolCallId);
      if (call?.toolName === part.toolName && output !== undefined) entries.push({ tool: call.toolName, input: call.input, output });
    }
  }
  return entries;
}

/** What the model read; `undefined` where it read of a failure. */
function textOf(output: ToolResultPart['output']): string | undefined {
  switch (output.type) {
    case 'text':
      return output.value;
    case 'json':
      return typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
    case 'content':
      return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    default:
      return undefined;
  }
}
