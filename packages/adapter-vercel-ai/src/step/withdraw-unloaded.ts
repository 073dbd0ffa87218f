import type { Skillset } from '@repertoire/skills-core';
import { loadedSkillNames, withdrawSkillText } from '@repertoire/skills-core/state';
import type { ModelMessage, ToolResultPart } from 'ai';
import { textOfOutput } from '../state/message-text.ts';
import { transcriptOfMessages } from '../state/transcript-of-messages.ts';

/**
 * The messages without the instructions of skills that were unloaded after they were given: a short notice stands in their place. The very same array where there
 * is nothing to take out.
 */
export function withdrawUnloaded(messages: ModelMessage[], skillset: Pick<Skillset, 'state' | 'toolNames'>): ModelMessage[] {
  const { load, unload } = skillset.toolNames;
  const entries = transcriptOfMessages(messages).filter(({ tool }) => tool === load || tool === unload);
  const texts = new Map<string, string[]>();
  const gone = new Set<string>();
  let before: readonly string[] = [];
  for (const [index, entry] of entries.entries()) {
    const [given] = loadedSkillNames(skillset.state([entry]));
    if (given !== undefined) texts.set(given, [...(texts.get(given) ?? []), entry.output]);
    const after = loadedSkillNames(skillset.state(entries.slice(0, index + 1)));
    for (const name of before) {
      if (after.includes(name)) continue;
      for (const text of texts.get(name) ?? []) gone.add(text);
      texts.delete(name);
    }
    before = after;
  }
  // Loaded again with the same text: it holds again, wherever it stands.
  for (const text of [...texts.values()].flat()) gone.delete(text);
  return gone.size === 0 ? messages : messages.map((message) => withoutTexts(message, load, gone));
}

function withoutTexts(message: ModelMessage, tool: string, texts: ReadonlySet<string>): ModelMessage {
  if (message.role !== 'tool') return message;
  return {
    ...message,
    content: message.content.map((part) => {
      if (part.type !== 'tool-result' || part.toolName !== tool) return part;
      const text = textOfOutput(part.output);
      const output: ToolResultPart['output'] = { type: 'text', value: withdrawSkillText(text ?? '') };
      return text !== undefined && texts.has(text) ? { ...part, output } : part;
    }),
  };
}
