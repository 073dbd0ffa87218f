import { readFile } from 'node:fs/promises';
import type { SkillProvider } from '@repertoire/skills-core';
import { createSkillLock, parseSkillLock, serializeSkillLock } from '@repertoire/skill-trust/lock';
import { replaceFile } from '../text/replace-file.ts';

/** What came of a lock file; the skills of `signed` were left, since the lock has their signer. */
export interface UpdatedLock {
  readonly lock: 'none' | 'same' | 'updated';
  readonly signed: readonly string[];
}

/**
 * Pins skills anew in a lock file. A skill with a signer in the lock is left to `lock write`.
 *
 * @throws {SkillError} `invalid-options` for a file that is no lock
 */
export async function updateLock(
  full: string,
  provider: SkillProvider,
  names: readonly string[],
  signal: AbortSignal,
): Promise<UpdatedLock> {
  const text = await readFile(full, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return { lock: 'none', signed: [] };
  const lock = parseSkillLock(text);
  const hasSigner = new Set(lock.skills.flatMap(({ name, signer }) => (signer === undefined || signer === null ? [] : [name])));
  const pinned = new Set(names.filter((name) => !hasSigner.has(name)));
  const signed = names.filter((name) => hasSigner.has(name));
  if (pinned.size === 0) return { lock: 'same', signed };
  const now = await createSkillLock(provider, { signal });
  const skills = [...lock.skills.filter(({ name }) => !pinned.has(name)), ...now.skills.filter(({ name }) => pinned.has(name))];
  const next = serializeSkillLock({ ...lock, skills });
  if (next === text) return { lock: 'same', signed };
  await replaceFile(full, next);
  return { lock: 'updated', signed };
}
