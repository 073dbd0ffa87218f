import type { SkillCallOptions } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { changeOf, inForce } from '../../policy/in-force.ts';
import { readSkillFiles, type WholeSkill } from '../../providers/digest/read-skill-files.ts';
import type { SkillToolContext } from '../skill-tool.ts';
import type { SkillToolHost } from '../tool-host.ts';
import type { SkillInUse } from './skill-doors.ts';

/**
 * Asserts, before something of a loaded skill runs, that its source still has what was loaded. A
 * skill that is not loaded passes, since nothing was given of it.
 *
 * @throws {SkillError} `skill-changed`, or what the source rejects with
 */
export async function assertInForce(
  { audience, doors, present }: SkillToolHost,
  use: SkillInUse,
  { state, signal }: Pick<SkillToolContext, 'state' | 'signal'>,
): Promise<void> {
  if (use.loaded === undefined) return;
  const look = await inForce(present, state, use.skill.name, { signal });
  if (look.inForce) return;
  if (look.refused !== undefined) await audience.assertAllowed('load', look.refused);
  throw await doors.changed(use, changeOf(look.reason), signal);
}

/**
 * Reads all files of a skill, for a run: of a pinned one all of the pinned content, or none.
 *
 * @throws {SkillError} `skill-changed`, `limit-exceeded`
 */
export async function readPinnedFiles(
  { doors, provider }: SkillToolHost,
  use: SkillInUse,
  { signal }: SkillCallOptions,
): Promise<WholeSkill> {
  const { content } = use.skill;
  const isPinned = typeof content === 'string';
  const whole = await readSkillFiles(provider, use.skill, { signal }).catch((thrown: unknown) => {
    // A listed file that is no longer there is a change, if it was pinned.
    if (isPinned && SkillError.isInstance(thrown) && thrown.code === 'resource-not-found') return null;
    throw thrown;
  });
  if (whole === null || (isPinned && whole.digest !== content)) throw await doors.changed(use, 'content', signal);
  return whole;
}
