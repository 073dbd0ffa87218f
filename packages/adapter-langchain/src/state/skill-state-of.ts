import type { SkillEvent, SkillState, Skillset } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/state';
import type { BaseMessage } from '@langchain/core/messages';
import { transcriptOfMessages } from '../messages/transcript-of-messages.ts';
import type { LoadedSkills, SkillsGraphState } from './skills-state.ts';

/** A graph's state as far as it may be read here: any graph may be asked, also one without our channels. */
export type ReadableState = Partial<SkillsGraphState> & { readonly messages?: readonly BaseMessage[] | undefined };

/** What is loaded, by the graph's own state. */
export function keptSkillState(state: unknown): SkillState {
  const { loaded_skills: channel } = readable(state);
  return { loaded: Object.fromEntries(Object.entries(channel ?? {}).flatMap(([name, entry]) => (entry === null ? [] : [[name, entry]]))) };
}

/**
 * What is loaded, and which of its texts still stand in the messages. Messages add nothing: they only tell what was cut from them, by a summary or by hand.
 */
export function skillStateOf(
  skillset: Pick<Skillset, 'stateInContext'>,
  state: unknown,
  messages: readonly BaseMessage[] = readable(state).messages ?? [],
): SkillState {
  return skillset.stateInContext(keptSkillState(state), transcriptOfMessages(messages));
}

/** The update of the channel that these events are. Only what changed is in it, so that updates of parallel calls do not touch each other. */
export function loadedSkillsUpdate(before: SkillState, events: readonly SkillEvent[]): LoadedSkills {
  const after = events.reduce(reduceSkillState, before).loaded;
  const names = new Set([...Object.keys(before.loaded), ...Object.keys(after)]);
  return Object.fromEntries([...names].flatMap((name) => (before.loaded[name] === after[name] ? [] : [[name, after[name] ?? null]])));
}

/** A state that nobody typed for us. */
export function readable(state: unknown): ReadableState {
  return typeof state === 'object' && state !== null ? state : {};
}
