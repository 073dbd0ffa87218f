import type { SkillState } from '../state/skill-state.ts';
import { renewSkills as renew, type RenewedSkill } from '../tools/activation/renew-skills.ts';
import type { SkillToolContext } from '../tools/skill-tool.ts';
import { sessionEnvironment } from './session-environment.ts';
import type { SkillSession } from './skill-session.ts';

/**
 * Under `contentChange: 'renew'`, loads the present content of trusted loaded skills that changed.
 * Call it before a model call, put the calls and results at the end of the messages, and record
 * their events. Without that option, nothing is loaded.
 *
 * @throws {SkillError} `invalid-options` for a session that no skillset opened
 * @example
 * ```ts
 * import type { SkillSession, SkillState } from '@repertoire/skills-core';
 * import { renewSkills } from '@repertoire/skills-core/adapter';
 *
 * export async function renewed(session: SkillSession, state: SkillState): Promise<string[]> {
 *   return (await renewSkills(session, state)).map(({ text }) => text);
 * }
 * ```
 */
export async function renewSkills(
  session: SkillSession,
  state: SkillState,
  context: Pick<SkillToolContext, 'at' | 'signal'> = {},
): Promise<readonly RenewedSkill[]> {
  return session.renewsChanged ? await renew(sessionEnvironment(session), { ...context, state }) : [];
}
