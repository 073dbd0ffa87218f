import type { SkillTranscriptEntry } from '@repertoire/skills-core/state';
import type { AnyMessage } from './message-text.ts';
import { turnsOfMessages, type LengthOf } from './turns-of-messages.ts';

/**
 * The finished tool calls of a conversation, oldest first, in no framework's shape. It takes messages as a model gets them and as a user
 * interface keeps them. A call that failed, was denied or has no result yet is not finished, and a result without its call proves nothing.
 *
 * It reads messages, not steps: a call that ran after a person approved it is in the messages only.
 *
 * @example
 * ```ts
 * import { transcriptOfMessages } from '@repertoire/adapter-vercel-ai';
 * import { skillStateFromTranscript, type SkillState } from '@repertoire/skills-core/state';
 * import type { ModelMessage, UIMessage } from 'ai';
 *
 * export function stateOf(messages: readonly (ModelMessage | UIMessage)[]): SkillState {
 *   return skillStateFromTranscript(transcriptOfMessages(messages));
 * }
 * ```
 */
export function transcriptOfMessages(messages: readonly AnyMessage[], lengthOf?: LengthOf): SkillTranscriptEntry[] {
  return turnsOfMessages(messages, lengthOf).flatMap(({ entries }) => entries);
}
