import { restoreSkills as restore, type RestoreOptions, type RestoredSkill, type SkillTurn } from '../tools/activation/restore-skills.ts';
import { sessionEnvironment } from './session-environment.ts';
import type { SkillSession } from './skill-session.ts';

/**
 * What to insert into the messages before the next model call: what was cut, and what the refresh
 * policy has due. The same messages give the same insertions at the same places.
 *
 * @throws {SkillError} `invalid-options` for a session that no skillset opened
 * @example
 * ```ts
 * import type { SkillSession, SkillState } from '@repertoire/skills-core';
 * import { restoreSkills, type SkillTurn } from '@repertoire/skills-core/adapter';
 *
 * export async function missing(session: SkillSession, turns: readonly SkillTurn[], saved: SkillState): Promise<string[]> {
 *   return (await restoreSkills(session, turns, { state: saved })).map(({ text }) => text);
 * }
 * ```
 */
export async function restoreSkills(
  session: SkillSession,
  turns: readonly SkillTurn[],
  options: RestoreOptions = {},
): Promise<readonly RestoredSkill[]> {
  return await restore(sessionEnvironment(session), turns, options);
}
