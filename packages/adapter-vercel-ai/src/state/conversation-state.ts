import type { SkillEvent, Skillset, SkillState } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/state';
import type { SkillFork } from '@repertoire/skills-core/policy';
import type { AnyMessage } from './message-text.ts';
import { transcriptOfMessages } from './transcript-of-messages.ts';

/** Tells and notes what a conversation has loaded. */
export interface ConversationState {
  /** The state of the conversation that these messages are. */
  of(messages: readonly AnyMessage[]): SkillState;
  /** The same, where texts that were put back count as there although they had to be cut: so that they are not put back twice. */
  withPutBack(messages: readonly AnyMessage[]): SkillState;
  /** The same as it was when the step began that has these messages: what all calls of that step are judged by. */
  atStep(messages: readonly AnyMessage[]): SkillState;
  /** Takes note of what a call did. */
  record(events: readonly SkillEvent[]): void;
  /** Takes note of texts that were put into the messages here, see {@link withPutBack}. */
  accept(events: readonly SkillEvent[]): void;
}

type Told = Pick<Skillset, 'state'>;

/** The state as the messages tell it; nothing is kept, since the call's own messages will tell it again. */
export function stateFromMessages(skillset: Told): ConversationState {
  const of = (messages: readonly AnyMessage[]): SkillState => skillset.state(transcriptOfMessages(messages));
  return { of, withPutBack: of, atStep: of, record: () => {}, accept: () => {} };
}

/**
 * The state as the server keeps it in `box`. Messages cannot add to it; they tell only which texts the model can still see: a skill whose text was pruned is
 * handed out again in full.
 */
export function stateFromServer(skillset: Told, box: { current: SkillState }): ConversationState {
  const accepted = new Set<string>();
  // By length too, because a host may push to the array that it gave.
  const steps = new WeakMap<readonly AnyMessage[], { readonly length: number; readonly state: SkillState }>();
  const read = (messages: readonly AnyMessage[], isAccepted: (name: string, digest: string) => boolean): SkillState => {
    const told = skillset.state(transcriptOfMessages(messages)).loaded;
    return {
      loaded: Object.fromEntries(
        Object.entries(box.current.loaded).map(([name, entry]) => {
          const seen = Object.hasOwn(told, name) ? told[name] : undefined;
          const inContext = seen !== undefined && (seen.digest === entry.digest || isAccepted(name, seen.digest));
          return [name, { ...entry, inContext, ...(inContext && seen.at !== undefined && { at: seen.at }) }];
        }),
      ),
    };
  };
  // A text that was cut is not the skill's own: a model that asks for the whole gets it.
  const of = (messages: readonly AnyMessage[]): SkillState => read(messages, () => false);
  return {
    of,
    withPutBack: (messages) => read(messages, (name, digest) => accepted.has(`${name} ${digest}`)),
    atStep(messages) {
      const known = steps.get(messages);
      if (known?.length === messages.length) return known.state;
      const state = of(messages);
      steps.set(messages, { length: messages.length, state });
      return state;
    },
    record(events) {
      box.current = events.reduce(reduceSkillState, box.current);
    },
    accept(events) {
      for (const event of events) if (event.type === 'loaded') accepted.add(`${event.name} ${event.digest}`);
    },
  };
}

/** The state of an agent that runs a forked skill: that skill is loaded from the start, since its text is what the agent was asked. */
export function stateInFork(skillset: Pick<Skillset, 'state' | 'toolNames'>, { skill, prompt }: SkillFork): ConversationState {
  const start = { tool: skillset.toolNames.load, input: { name: skill }, output: prompt };
  const of = (messages: readonly AnyMessage[]): SkillState => skillset.state([start, ...transcriptOfMessages(messages)]);
  return { of, withPutBack: of, atStep: of, record: () => {}, accept: () => {} };
}
