import type { Skill } from '@repertoire/skills-core';
import type { SkillToolHost } from '@repertoire/skills-core/internal';
import { skillDigest, type SkillRunRequest } from '@repertoire/skills-core/provider';

/**
 * Returns the files that this request may read, with their digest. A script prints what it can
 * read.
 */
export async function onlyReadable(
  { audience }: Pick<SkillToolHost, 'audience'>,
  skill: Skill,
  whole: Pick<SkillRunRequest, 'files' | 'digest'>,
): Promise<Pick<SkillRunRequest, 'files' | 'digest'>> {
  const entries = Object.entries(whole.files);
  // SKILL.md is what was loaded.
  const mayRead = await Promise.all(entries.map(async ([path]) => path === 'SKILL.md' || (await audience.mayDo('read', skill, path))));
  if (mayRead.every(Boolean)) return { files: whole.files, digest: whole.digest };
  const files = Object.fromEntries(entries.filter((_, index) => mayRead[index]));
  return { files, digest: await skillDigest(files) };
}
