import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { readSkillMd } from '@repertoire/skills-core/provider';
import { readSkillFile } from './read-skill-file.ts';
import { isInFolder, type FoundSkill } from './skills-of-source.ts';

/** The `SKILL.md` of a skill that is to be checked. */
export interface CheckedSkillMd {
  readonly bytes: Uint8Array;
  /** Path of the file, as people name it. */
  readonly path: string;
  /** Name of its folder, which the standard wants to be the skill's name. Served ones have none. */
  readonly directoryName: string;
  /** Whether these are the author's bytes, and not written from fields. */
  readonly isOriginal: boolean;
}

/**
 * Reads the `SKILL.md` of a skill that is to be checked; `null` for a folder that has none.
 *
 * @throws {SkillError} `limit-exceeded` for a larger file; `source-unavailable` for one that cannot
 *   be read; what the source rejects with
 */
export async function readCheckedSkillMd(skill: FoundSkill, maxBytes: number, signal: AbortSignal): Promise<CheckedSkillMd | null> {
  const { shown } = skill;
  if (isInFolder(skill)) {
    const { folder, file } = skill;
    if (file === null) return null;
    const bytes = readSkillFile(path.join(folder, file), maxBytes);
    return { bytes, path: path.join(shown, file), directoryName: path.basename(folder), isOriginal: true };
  }
  const { provider, metadata } = skill;
  const { name, version } = metadata;
  const served = await provider.getSkill(name, { version, signal });
  if (served === null) throw new SkillError('source-unavailable', `${shown} is listed and cannot be read.`, { skill: name });
  const { bytes, isOriginal } = await readSkillMd(provider, served, { signal });
  if (bytes.length > maxBytes)
    throw new SkillError('limit-exceeded', `SKILL.md of ${shown} has more than ${maxBytes} bytes.`, { skill: name });
  return { bytes, path: `${shown}/SKILL.md`, directoryName: name, isOriginal };
}
