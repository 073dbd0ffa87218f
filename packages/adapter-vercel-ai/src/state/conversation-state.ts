import type { SkillEvent, SkillSession, SkillState } from '@repertoire/skills-core';
import { lengthOfTurns, recordSkillEvents, type SkillStateBox } from '@repertoire/skills-core/state';
import type { AnyMessage } from './message-text.ts';
import { turnsOfMessages } from './turns-of-messages.ts';

/** Reads and notes what a conversation has loaded. */
export interface ConversationState {
  /** The state as a server keeps it; `undefined` if it is derived from the messages. */
  readonly kept: SkillState | undefined;
  /** The state of the conversation that these messages are. */
  of(messages: readonly AnyMessage[]): SkillState;
  /** The same as it was when the step began that has these messages: what all calls of that step are judged by. */
  atStep(messages: readonly AnyMessage[]): SkillState;
  /** Length of the messages, by `session.lengthOf`. */
  lengthOf(messages: readonly AnyMessage[]): number;
  /** Takes note of what a call did. */
  record(events: readonly SkillEvent[]): Promise<void>;
}

/**
 * The state of a conversation: derived from the messages of each call, or kept by the server in a box. Messages cannot add to a kept state;
 * they only show which texts the model can still see.
 */
export function conversationState(session: SkillSession, box: SkillStateBox | undefined): ConversationState {
  const turnsOf = (messages: readonly AnyMessage[]) => turnsOfMessages(messages, (text) => session.lengthOf(text));
  // By length too, because a host may push to the array that it passed.
  const steps = new WeakMap<readonly AnyMessage[], { readonly length: number; readonly state: SkillState }>();
  const of = (messages: readonly AnyMessage[]): SkillState =>
    session.state(
      turnsOf(messages).flatMap(({ entries }) => entries),
      box?.current,
    );
  return {
    get kept() {
      return box?.current;
    },
    of,
    atStep(messages) {
      // Without a box, the messages of a step are all that counts, and they do not change while it runs.
      const known = steps.get(messages);
      if (known?.length === messages.length) return known.state;
      const state = of(messages);
      steps.set(messages, { length: messages.length, state });
      return state;
    },
    lengthOf: (messages) => lengthOfTurns(turnsOf(messages)),
    record: (events) => recordSkillEvents(box, events, session.apply),
  };
}
