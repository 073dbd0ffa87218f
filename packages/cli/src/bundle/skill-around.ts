import { isInside } from '@repertoire/skill-fs/internal';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { CollectedSkill } from './collect-skills.ts';

/** The skill in whose folder a file lies or would lie, whichever links lead there. */
export async function skillAround(skills: readonly CollectedSkill[], file: string): Promise<CollectedSkill | undefined> {
  const real = await realPathOf(file);
  const folders = await Promise.all(skills.map(async ({ folder }) => (folder === null ? null : await realPathOf(folder))));
  return skills.find((_, index) => {
    const folder = folders[index] ?? null;
    return folder !== null && isInside(folder, real);
  });
}

async function realPathOf(file: string): Promise<string> {
  const parent = path.dirname(file);
  return await realpath(file).catch(async () => (parent === file ? file : path.join(await realPathOf(parent), path.basename(file))));
}
