import type { SkillEvent, SkillSession, SkillState } from '@repertoire/skills-core';
import { recordSkillEvents, type SkillStateBox, lengthOfTurns, stateOfTurns } from '@repertoire/skills-core/adapter';
import type { AnyMessage } from './messages.ts';
import { turnsOfMessages } from './messages.ts';

/** Reads and writes what a conversation has loaded. */
export interface ConversationState {
  /** The state that the server keeps; `undefined` if the state is derived from messages. */
  readonly saved: SkillState | undefined;
  /** The state of the conversation with these messages. */
  of(messages: readonly AnyMessage[]): SkillState;
  /** The state at the start of a step, by which all of its calls are judged. */
  atStep(messages: readonly AnyMessage[]): SkillState;
  /** Length of the messages, measured by `session.lengthOf`. */
  lengthOf(messages: readonly AnyMessage[]): number;
  /** Records what a call changed. */
  record(events: readonly SkillEvent[]): Promise<void>;
}

/** From the messages of each call, or kept in a box, to which messages add nothing. */
export function conversationState(session: SkillSession, box: SkillStateBox | undefined): ConversationState {
  // The length is compared too, because a host may push to the array that it passed.
  const steps = new WeakMap<readonly AnyMessage[], { readonly length: number; readonly state: SkillState }>();
  const of = (messages: readonly AnyMessage[]): SkillState => stateOfTurns(session, turnsOfMessages(messages, session), box?.current);
  return {
    get saved() {
      return box?.current;
    },
    of,
    atStep(messages) {
      // Without a box, the state depends only on the messages, which stay the same.
      const known = steps.get(messages);
      if (known?.length === messages.length) return known.state;
      const state = of(messages);
      steps.set(messages, { length: messages.length, state });
      return state;
    },
    lengthOf: (messages) => lengthOfTurns(turnsOfMessages(messages, session)),
    record: (events) => recordSkillEvents(box, events, session.apply),
  };
}
