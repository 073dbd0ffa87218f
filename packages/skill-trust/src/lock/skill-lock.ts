import { SkillError, type SkillLock, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import type { LockedSigner } from '@repertoire/skills-core/internal';
import { skillDigestFromFileDigests, type SkillCallOptions } from '@repertoire/skills-core/provider';

/**
 * Verifies who signed a skill. `lockSigner` of `@repertoire/skill-trust/provider` makes one.
 *
 * @returns `null` for a skill without a signature
 * @throws {SkillError} `signature-refused` for a signature that does not verify
 */
export type LockSignerOf = (provider: SkillProvider, skill: SkillMetadata, options?: SkillCallOptions) => Promise<LockedSigner | null>;

/** How a skill is named in messages: `billing@1.2.0`. */
export function lockedSkillTitle({ name, version }: { readonly name: string; readonly version?: string | null | undefined }): string {
  return printable(version === undefined || version === null ? name : `${name}@${version}`);
}

/** Makes a text of a source, which may be hostile, safe for one line of a terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}

/** Returns the key of an entry of a lock. */
export function lockedSkillKey({ name, version }: { readonly name: string; readonly version: string | null }): string {
  return JSON.stringify([name, version]);
}

/**
 * Makes sure that the digest of each entry is that of its files. Reviewers may compare only that
 * digest, so it must not differ from the files.
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
        { skill: skill.name },
      );
    }),
  );
}
