import { SkillError } from '../errors/skill-error.ts';
import type { ToolEnvironment } from '../tools/tool-environment.ts';
import type { SkillSession } from './skill-session.ts';

const environments = new WeakMap<SkillSession, ToolEnvironment>();

/** Lets {@link sessionEnvironment} find the environment of a session. */
export function rememberEnvironment(session: SkillSession, environment: ToolEnvironment): SkillSession {
  environments.set(session, environment);
  return session;
}

/**
 * What the tools of a session share, for those who give skills to somebody else than a model and
 * must ask the same questions: who may load, what was verified, what the hooks say.
 *
 * @throws {SkillError} `invalid-options` for a session that no skillset opened
 */
export function sessionEnvironment(session: SkillSession): ToolEnvironment {
  const environment = environments.get(session);
  if (environment === undefined) throw new SkillError('invalid-options', 'This session was not opened by a skillset of this package.');
  return environment;
}
