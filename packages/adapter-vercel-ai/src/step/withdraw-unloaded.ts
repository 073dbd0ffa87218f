import type { SkillSession, Skillset } from '@repertoire/skills-core';
import { withdrawSkillText } from '@repertoire/skills-core/adapter';
import { skillEventOf } from '@repertoire/skills-core/internal';
import type { ModelMessage, ToolResultPart } from 'ai';
import { textOfOutput } from '../state/messages.ts';
import { transcriptOfMessages } from '../state/messages.ts';

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
  const leave = (name: string): void => {
    for (const text of texts.get(name) ?? []) gone.add(text);
    texts.delete(name);
  };
  const transcript = transcriptOfMessages(messages);
  for (const entry of transcript) {
    const event = skillEventOf(entry, toolNames);
    if (event?.type === 'unloaded') leave(event.name);
    // The answer to a load whose text stands already has no text of its own.
    if (event?.type !== 'loaded' || event.texts === undefined) continue;
    texts.set(event.name, (texts.get(event.name) ?? new Set()).add(entry.output));
    // The skill was loaded again with the same text, so every copy of that text is valid again.
    gone.delete(entry.output);
  }
  // Under `activation: 'single'`, a load ends the skills before it.
  const { loaded } = session.state(transcript);
  for (const name of texts.keys()) if (!Object.hasOwn(loaded, name)) leave(name);
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
