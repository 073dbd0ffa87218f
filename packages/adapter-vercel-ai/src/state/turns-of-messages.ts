import type { SkillTurn } from '@repertoire/skills-core/adapter';
import { turnsOfParts, type Measure } from '@repertoire/skills-core/adapter';
import { partsOf, type AnyMessage } from './message-text.ts';

/**
 * The messages of a conversation, independent of the framework.
 *
 * @param measure measures texts. Without it, lengths are left out
 */
export function turnsOfMessages(messages: readonly AnyMessage[], measure?: Measure): SkillTurn[] {
  return turnsOfParts(
    messages.map((message) => ({ role: message.role, parts: partsOf(message) })),
    measure,
  );
}
