import { readFile } from 'node:fs/promises';
import { SkillError } from '@repertoire/skills-core';
import { isSha256Hex } from '@repertoire/skills-core/internal';

/**
 * The file beside the skills that lists the skills that this function wrote, with the digest of
 * each.
 */
export const recordName = '.repertoire-skills.json';

/** A record longer than this was not written here. */
const maxRecordBytes = 16 * 1024 * 1024;

/**
 * Digests of the skills that were written, by name.
 *
 * @throws {SkillError} `invalid-options` for a file of this name that is no such record
 */
export async function readRecord(path: string): Promise<Map<string, string>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
  try {
    const { skills } = (text.length > maxRecordBytes ? {} : JSON.parse(text)) as { skills?: unknown };
    const entries = Object.entries(skills as Record<string, unknown>);
    if (entries.every((entry): entry is [string, string] => typeof entry[1] === 'string' && isSha256Hex(entry[1]))) return new Map(entries);
  } catch {
    // It is told below.
  }
  throw new SkillError('invalid-options', `${path} is no record of written skills. Remove it, or write somewhere else.`, { path });
}

export function recordText(skills: ReadonlyMap<string, string>): string {
  return `${JSON.stringify({ skills: Object.fromEntries(skills) }, undefined, 2)}\n`;
}
