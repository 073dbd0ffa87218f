import type { BaseMessage } from '@langchain/core/messages';
import type { SkillTranscriptEntry } from '@repertoire/skills-core/adapter';
import { entriesOfTurns } from '@repertoire/skills-core/adapter';
import { turnsOfMessages } from './turns-of-messages.ts';

/**
 * The finished tool calls of a conversation, oldest first, independent of the framework. A call
 * that failed or has no result yet is not finished. A result without its call is ignored.
 */
export function transcriptOfMessages(messages: readonly BaseMessage[], lengthOf?: (text: string) => number): SkillTranscriptEntry[] {
  return entriesOfTurns(turnsOfMessages(messages, lengthOf && { lengthOf }));
}
