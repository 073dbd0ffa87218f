import type { SkillCallOptions, SkillMetadata, SkillProvider } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { forEachBounded } from '../support/for-each-bounded.ts';
import { isReachable } from '../../contract/is-reachable.ts';
import { combineDigests, digestsOfSkill, frontmatterDigest } from '../digest/digest-of-skill.ts';
import { sha256Hex } from '../digest/sha256-hex.ts';
import { lockedSkillTitle, type LockedSkill, type SkillLock } from './skill-lock.ts';

/** Skills that are read at the same time. */
const concurrency = 8;

/**
 * Pins every skill that a provider lists, in every version: reads level 1, the body and all files of each. Write it down with {@link serializeSkillLock}.
 *
 * It is all or nothing, so that a lock never forgets what could not be read just then.
 *
 * @throws {SkillError} `source-unavailable` where a source of a composition does not answer, or a skill changes while it is read; what the provider rejects with
 * @example
 * ```ts
 * import { createSkillLock, serializeSkillLock, type SkillProvider } from '@repertoire/skills-core';
 *
 * export async function lockFile(provider: SkillProvider): Promise<string> {
 *   return serializeSkillLock(await createSkillLock(provider));
 * }
 * ```
 */
export async function createSkillLock(provider: SkillProvider, { signal }: SkillCallOptions = {}): Promise<SkillLock> {
  const listed = await provider.listSkills({ signal });
  const outage = (await provider.diagnostics?.({ signal }))?.find(({ code }) => code === 'source-failed' || code === 'source-timeout');
  if (outage !== undefined) {
    throw new SkillError('source-unavailable', `Not all skills of "${provider.label}" can be pinned or compared now. ${outage.message}`, {
      source: provider.label,
    });
  }
  const skills: LockedSkill[] = [];
  const lock = async (skill: SkillMetadata, index: number): Promise<void> => {
    skills[index] = await (isReachable(listed, index) ? lockSkill(provider, skill, signal) : lockListing(provider, skill));
  };
  await forEachBounded(listed, concurrency, lock, signal);
  return { lockVersion: 1, skills };
}

async function lockSkill(provider: SkillProvider, { name, version }: SkillMetadata, signal: AbortSignal | undefined): Promise<LockedSkill> {
  const skill = await provider.getSkill(name, { version, signal });
  if (skill === null || skill.version !== version) {
    throw new SkillError(
      'source-unavailable',
      `Skill ${lockedSkillTitle({ name, version })} was listed, and then could not be got. It may have changed meanwhile; try again.`,
      {
        skill: name,
        source: provider.label,
      },
    );
  }
  return { ...entryHead(provider, skill), ...(await digestsOfSkill(provider, name, skill, { version, signal })) };
}

/** A skill without a version beside versions of its name is listed and cannot be got: pinned as empty, it stays so. */
async function lockListing(provider: SkillProvider, skill: SkillMetadata): Promise<LockedSkill> {
  const [frontmatter, body] = await Promise.all([frontmatterDigest(skill), sha256Hex('')]);
  return { ...entryHead(provider, skill), ...(await combineDigests({ frontmatter, body, files: {} })) };
}

function entryHead(provider: SkillProvider, { name, version, origin }: SkillMetadata): Pick<LockedSkill, 'name' | 'version' | 'source'> {
  return { name, ...(version !== undefined && { version }), source: origin?.label ?? provider.label };
}
