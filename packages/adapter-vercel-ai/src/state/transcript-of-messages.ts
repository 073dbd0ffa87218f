import type { SkillTranscriptEntry } from '@repertoire/skills-core/adapter';
import { entriesOfTurns } from '@repertoire/skills-core/adapter';
import type { AnyMessage } from './message-text.ts';
import { turnsOfMessages } from './turns-of-messages.ts';

/**
 * The finished tool calls of a conversation, oldest first, independent of the framework. Accepts
 * model messages and UI messages. A call that failed, was denied or has no result yet is not
 * finished. A result without its call is ignored.
 *
 * It reads messages, not steps, because a call that ran after an approval is only in the messages.
 *
 * @example
 * ```ts
 * import { transcriptOfMessages } from '@repertoire/adapter-vercel-ai';
 * import type { SkillState } from '@repertoire/skills-core';
 * import { skillStateFromTranscript } from '@repertoire/skills-core/adapter';
 * import type { ModelMessage, UIMessage } from 'ai';
 *
 * export function stateOf(messages: readonly (ModelMessage | UIMessage)[]): SkillState {
 *   return skillStateFromTranscript(transcriptOfMessages(messages));
 * }
 * ```
 */
export function transcriptOfMessages(messages: readonly AnyMessage[], lengthOf?: (text: string) => number): SkillTranscriptEntry[] {
  return entriesOfTurns(turnsOfMessages(messages, lengthOf && { lengthOf }));
}
