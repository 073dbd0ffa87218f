import { emptySkillState, type SkillEvent, type SkillSession, type SkillState } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/adapter';

/** The state after events. */
export function foldEvents(events: readonly SkillEvent[], state: SkillState = emptySkillState): SkillState {
  return events.reduce((current, event) => reduceSkillState(current, event), state);
}

/** The state after the host loaded these skills, one after another: what a conversation comes by honestly. */
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
  return { type: 'loaded', name, revision: '0'.repeat(8), fingerprint: 'x', ...more };
}
