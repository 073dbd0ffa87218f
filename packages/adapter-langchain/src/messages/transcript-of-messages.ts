import type { BaseMessage } from '@langchain/core/messages';
import type { SkillTranscriptEntry } from '@repertoire/skills-core/adapter';
import { entriesOfTurns } from '@repertoire/skills-core/internal';
import { turnsOfMessages } from './turns-of-messages.ts';

/**
 * The finished tool calls of a conversation, oldest first, independent of the framework. A call
 * that failed or has no result yet is not finished. A result without its call is ignored.
 *
 * @example
 * ```ts
 * import type { BaseMessage } from '@langchain/core/messages';
 * import { transcriptOfMessages } from '@repertoire/adapter-langchain/langgraph';
 * import type { SkillState } from '@repertoire/skills-core';
 * import { skillStateFromTranscript } from '@repertoire/skills-core/adapter';
 *
 * export function stateOf(messages: readonly BaseMessage[]): SkillState {
 *   return skillStateFromTranscript(transcriptOfMessages(messages));
 * }
 * ```
 */
export function transcriptOfMessages(messages: readonly BaseMessage[], lengthOf?: (text: string) => number): SkillTranscriptEntry[] {
  return entriesOfTurns(turnsOfMessages(messages, lengthOf && { lengthOf }));
}
