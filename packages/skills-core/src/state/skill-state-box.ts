import type { SkillEvent, SkillState } from './skill-state.ts';

/** Where a server keeps what a conversation has loaded. Make one for each conversation. */
export interface SkillStateBox {
  /** What is loaded now. Loads and unloads are written here as they happen. */
  current: SkillState;
  /**
   * Called with the events of a tool call, immediately after it: append them to a list in a
   * database, and fold that list (`reduceSkillState`) at the next request. Two concurrent requests
   * then lose nothing, as they would if each wrote a whole state. If it rejects, the tool call
   * fails.
   * @default only `current` is written
   */
  append?(events: readonly SkillEvent[]): void | Promise<void>;
}

/**
 * Writes the events of a tool call to a box. A no-op without a box and without events.
 *
 * @param apply `apply` of the session, which knows how many skills may be active at once
 * @throws what `append` of the box rejects with
 * @example
 * ```ts
 * import type { SkillEvent, SkillSession } from '@repertoire/skills-core';
 * import { recordSkillEvents, type SkillStateBox } from '@repertoire/skills-core/adapter';
 *
 * export const record = (session: SkillSession, box: SkillStateBox, events: readonly SkillEvent[]) =>
 *   recordSkillEvents(box, events, session.apply);
 * ```
 */
export async function recordSkillEvents(
  box: SkillStateBox | undefined,
  events: readonly SkillEvent[],
  apply: (state: SkillState, events: readonly SkillEvent[]) => SkillState,
): Promise<void> {
  if (box === undefined || events.length === 0) return;
  box.current = apply(box.current, events);
  await box.append?.(events);
}
