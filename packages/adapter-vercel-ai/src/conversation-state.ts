import { reduceSkillState, type Skillset, type SkillEvent, type SkillState } from '@repertoire/skills-core';
import type { ModelMessage } from 'ai';
import { transcriptOfMessages } from './transcript-of-messages.ts';

/** Tells and notes what a conversation has loaded. */
export interface ConversationState {
  /** The state of the conversation that these messages are. */
  of(messages: readonly ModelMessage[]): SkillState;
  /** Takes note of what a call did. */
  record(events: readonly SkillEvent[]): void;
}

/** The state as the messages tell it; nothing is kept, since the call's own messages will tell it again. */
export function stateFromMessages(skillset: Pick<Skillset, 'state'>): ConversationState {
  return {
    of: (messages) => skillset.state(transcriptOfMessages(messages)),
    record: () => {},
  };
}

/**
 * The state as the server keeps it in `box`. Messages cannot add to it; they tell only which texts the model can still see: a skill whose text was pruned is
 * handed out again in full.
 */
export function stateFromServer(skillset: Pick<Skillset, 'state'>, box: { current: SkillState }): ConversationState {
  return {
    of(messages) {
      const told = skillset.state(transcriptOfMessages(messages)).loaded;
      const gone = Object.entries(box.current.loaded).flatMap(([name, { digest }]) =>
        Object.hasOwn(told, name) && told[name]?.digest === digest ? [] : [name],
      );
      return reduceSkillState(box.current, { type: 'compacted', names: gone });
    },
    record(events) {
      box.current = events.reduce(reduceSkillState, box.current);
    },
  };
}
