import { readFileSync, statSync } from 'node:fs';
import { SkillError } from '@repertoire/skills-core';

/**
 * Reads a `SKILL.md`. Only a regular file is read: a pipe would be waited for without end.
 *
 * @throws {SkillError} `limit-exceeded` for a larger file; `source-unavailable` for one that cannot
 *   be read
 */
export function readSkillFile(file: string, maxBytes: number): Uint8Array {
  try {
    const found = statSync(file);
    if (!found.isFile()) throw new SkillError('source-unavailable', `${file} is not a regular file.`, { path: file });
    if (found.size > maxBytes) throw new SkillError('limit-exceeded', `${file} has more than ${maxBytes} bytes.`, { path: file });
    return readFileSync(file);
  } catch (error) {
    if (SkillError.isInstance(error)) throw error;
    throw new SkillError('source-unavailable', `${file} cannot be read: ${(error as Error).message}`, { path: file, cause: error });
  }
}
