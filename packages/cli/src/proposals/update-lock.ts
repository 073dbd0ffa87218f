import { readFile } from 'node:fs/promises';
import type { SkillProvider } from '@repertoire/skills-core';
import { createSkillLock, parseSkillLock, serializeSkillLock } from '@repertoire/skill-trust/lock';
import { replaceFile } from '../text/replace-file.ts';

/**
 * Pins one skill anew in a lock file. A skill with a signer in the lock is left to `lock write`.
 *
 * @returns `none` without a lock file, `signed` if the skill was left
 * @throws {SkillError} `invalid-options` for a file that is no lock
 */
export async function updateLock(
  full: string,
  provider: SkillProvider,
  skill: string,
  signal: AbortSignal,
): Promise<'none' | 'same' | 'updated' | 'signed'> {
  const text = await readFile(full, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return 'none';
  const lock = parseSkillLock(text);
  if (lock.skills.some(({ name, signer }) => name === skill && signer !== undefined && signer !== null)) return 'signed';
  const now = await createSkillLock(provider, { signal });
  const skills = [...lock.skills.filter(({ name }) => name !== skill), ...now.skills.filter(({ name }) => name === skill)];
  const next = serializeSkillLock({ ...lock, skills });
  if (next === text) return 'same';
  await replaceFile(full, next);
  return 'updated';
}
