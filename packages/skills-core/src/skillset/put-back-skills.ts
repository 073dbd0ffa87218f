import { putBackSkills as putBack, type PutBackOptions, type PutBackSkill, type SkillTurn } from '../tools/activation/put-back-skills.ts';
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
 * import { putBackSkills, type SkillTurn } from '@repertoire/skills-core/adapter';
 *
 * export async function missing(session: SkillSession, turns: readonly SkillTurn[], kept: SkillState): Promise<string[]> {
 *   return (await putBackSkills(session, turns, { kept })).map(({ text }) => text);
 * }
 * ```
 */
export async function putBackSkills(
  session: SkillSession,
  turns: readonly SkillTurn[],
  options: PutBackOptions = {},
): Promise<readonly PutBackSkill[]> {
  return await putBack(sessionEnvironment(session), turns, options);
}
