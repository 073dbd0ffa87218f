import { emptySkillState, type SkillSession, type Skillset } from '@repertoire/skills-core';
import { skillEventOf, withdrawSkillText } from '@repertoire/skills-core/adapter';
import type { ModelMessage, ToolResultPart } from 'ai';
import { textOfOutput } from '../state/message-text.ts';
import { transcriptOfMessages } from '../state/transcript-of-messages.ts';

/**
 * The messages without the instructions of skills that were unloaded later. A short notice takes
 * their place. Returns the same array if there is nothing to remove. It takes one pass, whatever
 * the length of the conversation.
 */
export function withdrawUnloaded(
  messages: ModelMessage[],
  session: SkillSession,
  { toolNames }: Pick<Skillset, 'toolNames'>,
): ModelMessage[] {
  const texts = new Map<string, Set<string>>();
  const gone = new Set<string>();
  let state = emptySkillState;
  for (const entry of transcriptOfMessages(messages)) {
    const event = skillEventOf(entry, toolNames);
    if (event === null) continue;
    const before = state;
    state = session.apply(state, [event]);
    for (const name of Object.keys(before.loaded)) {
      if (Object.hasOwn(state.loaded, name)) continue;
      for (const text of texts.get(name) ?? []) gone.add(text);
      texts.delete(name);
    }
    if (event.type !== 'loaded') continue;
    texts.set(event.name, (texts.get(event.name) ?? new Set()).add(entry.output));
    // The skill was loaded again with the same text, so every copy of that text is valid again.
    gone.delete(entry.output);
  }
  return gone.size === 0 ? messages : messages.map((message) => withoutTexts(message, toolNames.load, gone));
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
