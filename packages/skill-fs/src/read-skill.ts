import { realpath } from 'node:fs/promises';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import type { SkillMetadata } from '@repertoire/skills-core';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isInside } from './is-inside.ts';
import type { IndexedSkill } from './merge-skills.ts';
import { isAbsence, openRegularFile, readStart } from './open-regular-file.ts';
import { parserOptions } from './skill-file-record.ts';

/** What a `SKILL.md` says now. */
export interface SkillRead {
  /** Level 1, without the origin. */
  readonly metadata: SkillMetadata;
  readonly body: string;
  /** Whether the file looks as it did when it was listed. */
  readonly asListed: boolean;
}

/**
 * Reads a whole `SKILL.md` afresh.
 *
 * @returns `null` where it is gone, unusable or too large by now
 */
export async function readSkill({ record, root }: IndexedSkill, settings: FileSystemSettings): Promise<SkillRead | null> {
  const { file, signature } = record;
  const target = await realTarget(file.path);
  if (target === null) return null;
  // A folder or file that became a link since must not lead further than one that always was.
  if (settings.links !== 'all' && !isInside(root.realPath, target)) return null;
  const opened = await openRegularFile(target);
  if (opened === null) return null;
  try {
    const { size, ino, mtimeMs } = opened.stats;
    if (size > BigInt(settings.limits.skillBytes)) return null;
    const bytes = await readStart(opened.handle, Number(size));
    const { metadata, body } = parseSkillMd(bytes, parserOptions(file, settings));
    if (metadata === null) return null;
    const asListed =
      signature !== null &&
      signature.size === Number(size) &&
      signature.inode === Number(ino) &&
      Math.floor(signature.modified) === Number(mtimeMs);
    return { metadata, body, asListed };
  } finally {
    await opened.handle.close();
  }
}

async function realTarget(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}
