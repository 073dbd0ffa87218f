import { SkillError } from '../../errors/skill-error.ts';
import { combineDigests } from '../digest/digest-of-skill.ts';
import { lockedSkillTitle, type SkillLock } from './skill-lock.ts';

/**
 * Makes sure that the digest of each entry sums up the entry. Who reviews a lock may compare that digest only, so the rest of the entry must not say otherwise.
 *
 * @throws {SkillError} `digest-mismatch`
 */
export async function checkLockEntries(lock: SkillLock): Promise<void> {
  await Promise.all(
    lock.skills.map(async (skill) => {
      if ((await combineDigests(skill)).digest === skill.digest) return;
      throw new SkillError(
        'digest-mismatch',
        `The lock contradicts itself: the digest of ${lockedSkillTitle(skill)} is not that of its parts. Was it edited or merged by hand? Make it anew with createSkillLock.`,
        {
          skill: skill.name,
        },
      );
    }),
  );
}
