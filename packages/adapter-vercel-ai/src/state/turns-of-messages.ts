import type { SkillTranscriptEntry, SkillTurn } from '@repertoire/skills-core/adapter';
import { partsOf, type AnyMessage, type MessagePart } from './message-text.ts';

/** Measures a text: `session.lengthOf`. */
export type LengthOf = (text: string) => number;

/**
 * The messages of a conversation, independent of the framework: the finished tool calls of each,
 * and its length if `lengthOf` is passed. A call that failed, was denied or has no result yet is
 * not finished. A result without its call is ignored, and so are calls and results in messages of
 * a person or of the system.
 *
 * @param lengthOf measures a text. Without it, lengths are left out
 */
export function turnsOfMessages(messages: readonly AnyMessage[], lengthOf?: LengthOf): SkillTurn[] {
  const open = new Map<string, Extract<MessagePart, { type: 'call' }> & { readonly at: number }>();
  let [tokens, step] = [0, 0];
  return messages.map((message): SkillTurn => {
    const entries: SkillTranscriptEntry[] = [];
    const callIds: string[] = [];
    const before = tokens;
    for (const part of partsOf(message)) {
      switch (part.type) {
        case 'step':
          step = tokens;
          break;
        case 'text':
          tokens += lengthOf?.(part.text) ?? 0;
          break;
        case 'call':
          tokens += lengthOf?.(textOf(part.input)) ?? 0;
          // Only a model makes calls. A client may write what it likes into messages of a person.
          if (message.role !== 'assistant') break;
          // All calls in a step share the step's start offset, matching `SkillToolContext.at`.
          open.set(part.id, { ...part, at: step });
          callIds.push(part.id);
          break;
        case 'result': {
          tokens += lengthOf?.(part.read) ?? 0;
          if (message.role !== 'assistant' && message.role !== 'tool') break;
          const call = open.get(part.id);
          // Some models number calls anew in each turn: an id refers to its latest call.
          open.delete(part.id);
          if (call?.tool === part.tool && part.text !== undefined) {
            entries.push({ tool: call.tool, input: call.input, output: part.text, ...(lengthOf !== undefined && { at: call.at }) });
          }
          break;
        }
      }
    }
    return { role: message.role, entries, callIds, ...(lengthOf !== undefined && { tokens: tokens - before }) };
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
