import { SkillError } from '../errors/skill-error.ts';
import type { ToolEnvironment } from '../tools/tool-environment.ts';
import type { SkillSession } from './skill-session.ts';

/** A property of sessions, so that `{ ...session, tools }` has it too. */
const environment = Symbol('environment');

interface WithEnvironment {
  readonly [environment]?: ToolEnvironment;
}

/** Lets {@link sessionEnvironment} find the environment of a session. */
export function withEnvironment(session: SkillSession, given: ToolEnvironment): SkillSession {
  return Object.assign(session, { [environment]: given } satisfies WithEnvironment);
}

/**
 * What the tools of a session share, for those who give skills to somebody else than a model and
 * must ask the same questions: who may load, what was verified, what the hooks say.
 *
 * @throws {SkillError} `invalid-options` for a session that no skillset opened
 */
export function sessionEnvironment(session: SkillSession): ToolEnvironment {
  const found = (session as WithEnvironment)[environment];
  if (found === undefined) throw new SkillError('invalid-options', 'This session was not opened by a skillset of this package.');
  return found;
}
