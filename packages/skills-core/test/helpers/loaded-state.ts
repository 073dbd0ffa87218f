import {
  emptySkillState,
  type SkillEvent,
  type SkillMetadata,
  type SkillProvider,
  type SkillSession,
  type SkillState,
} from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/adapter';
import { revisionOf } from '@repertoire/skills-core/internal';

/** The state after events. */
export function foldEvents(events: readonly SkillEvent[], state: SkillState = emptySkillState): SkillState {
  return events.reduce((current, event) => reduceSkillState(current, event), state);
}

/**
 * The state after the host loaded these skills, one after another: what a conversation comes by
 * honestly.
 */
export async function stateAfter(session: SkillSession, ...names: readonly string[]): Promise<SkillState> {
  let state = emptySkillState;
  for (const name of names) {
    const { events, error } = await session.load({ name }, { state });
    if (error !== undefined) throw error;
    state = foldEvents(events, state);
  }
  return state;
}

/** A load that nobody made: what a client could write, or a history of another library. */
export function claimed(name: string, more: Partial<Extract<SkillEvent, { type: 'loaded' }>> = {}): SkillEvent {
  return { type: 'loaded', name, source: 'code', revision: '0'.repeat(22), texts: ['x'], ...more };
}

/** The revision that a load of this skill would have now. */
export async function revisionNow(provider: SkillProvider, skill: SkillMetadata): Promise<string> {
  return revisionOf(skill, (await provider.contentOf?.(skill.name, { version: skill.version })) ?? null);
}

/**
 * The state as a transcript alone tells it: no text says the place, the content, or the text that
 * would be restored.
 */
export function asClaims({ loaded }: SkillState): SkillState {
  const claims = Object.entries(loaded).map(([name, { place: _place, content: _content, ...entry }]) => [
    name,
    { ...entry, texts: entry.texts.slice(0, 1) },
  ]);
  return { loaded: Object.fromEntries(claims) as SkillState['loaded'] };
}
