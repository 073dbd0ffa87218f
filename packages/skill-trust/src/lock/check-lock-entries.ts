import { SkillError } from '@repertoire/skills-core';
import { skillDigestFromFileDigests } from '@repertoire/skills-core/provider';
import type { SkillLock } from '@repertoire/skills-core';
import { lockedSkillTitle } from './skill-lock.ts';

/**
 * Makes sure that the digest of each entry is that of its files. Reviewers may compare that digest
 * only, so the files must not say otherwise.
 *
 * @throws {SkillError} `digest-mismatch`
 */
export async function checkLockEntries(lock: SkillLock): Promise<void> {
  await Promise.all(
    [...lock.skills, ...(lock.plugins ?? [])].map(async (skill) => {
      if ((await skillDigestFromFileDigests(skill.files)) === skill.digest) return;
      throw new SkillError(
        'digest-mismatch',
        `The lock contradicts itself: the digest of ${lockedSkillTitle(skill)} is not that of its files. Was it edited or merged by hand? Create it again with createSkillLock.`,
        {
          skill: skill.name,
        },
      );
    }),
  );
}
