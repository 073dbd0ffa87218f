import type { SkillTranscriptEntry } from '@repertoire/skills-core/state';
import { tokensOfLength } from './estimate-tokens.ts';
import { inputLength, partsOf, type AnyMessage, type MessagePart } from './message-text.ts';

/**
 * The finished tool calls of a conversation, oldest first, in no framework's shape. It takes messages as a model gets them and as a user interface keeps them. A call
 * that failed, was denied or has no result yet is not finished, and a result without its call proves nothing.
 *
 * It reads messages, not steps: a call that ran after a person approved it is in the messages only.
 *
 * @example
 * ```ts
 * import { transcriptOfMessages } from '@repertoire/adapter-vercel-ai';
 * import type { SkillState } from '@repertoire/skills-core';
 * import { skillStateFromTranscript } from '@repertoire/skills-core/state';
 * import type { ModelMessage, UIMessage } from 'ai';
 *
 * export function stateOf(messages: readonly (ModelMessage | UIMessage)[]): SkillState {
 *   return skillStateFromTranscript(transcriptOfMessages(messages));
 * }
 * ```
 */
export function transcriptOfMessages(messages: readonly AnyMessage[]): SkillTranscriptEntry[] {
  const entries: SkillTranscriptEntry[] = [];
  const open = new Map<string, Extract<MessagePart, { type: 'call' }> & { readonly at: number }>();
  let [characters, step] = [0, 0];
  for (const part of messages.flatMap(partsOf)) {
    switch (part.type) {
      case 'step':
        step = characters;
        break;
      case 'text':
        characters += part.text.length;
        break;
      case 'call':
        // Calls of one step are at one place, which is what a tool is told when it runs.
        open.set(part.id, { ...part, at: tokensOfLength(step) });
        characters += inputLength(part.input);
        break;
      case 'result': {
        const call = open.get(part.id);
        // Some models count their calls afresh each turn, so an id answers for its last call only.
        open.delete(part.id);
        if (call?.tool === part.tool && part.text !== undefined) {
          entries.push({ tool: call.tool, input: call.input, output: part.text, at: call.at });
        }
        characters += part.length;
        break;
      }
    }
  }
  return entries;
}
