import type { SkillTranscriptEntry, SkillTurn } from '@repertoire/skills-core/state';
import { partsOf, type AnyMessage, type MessagePart } from './message-text.ts';

/** Measures a text: `session.lengthOf`. */
export type LengthOf = (text: string) => number;

/**
 * The messages of a conversation in no framework's shape: the tool calls that finished in each, and its length if `lengthOf` is passed.
 * A call that failed, was denied or has no result yet is not finished, and a result without its call proves nothing.
 *
 * @param lengthOf measures a text; without it, lengths are left out
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
          // All calls in a step share the step's start offset, matching `SkillToolContext.at`.
          open.set(part.id, { ...part, at: step });
          callIds.push(part.id);
          tokens += lengthOf?.(textOf(part.input)) ?? 0;
          break;
        case 'result': {
          const call = open.get(part.id);
          // Some models count their calls from the start in each turn, so an id answers for its last call only.
          open.delete(part.id);
          if (call?.tool === part.tool && part.text !== undefined) {
            entries.push({ tool: call.tool, input: call.input, output: part.text, ...(lengthOf !== undefined && { at: call.at }) });
          }
          tokens += lengthOf?.(part.read) ?? 0;
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
