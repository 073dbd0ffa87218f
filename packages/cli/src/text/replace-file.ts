import { randomBytes } from 'node:crypto';
import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';

/**
 * Writes a file whole or not at all: under another name first, so that nobody reads half of it.
 * Nothing is written through a link, which may lead out of the folder that it is in.
 *
 * @throws {SkillError} `invalid-path` where a link, a folder or a device has the name
 */
export async function replaceFile(full: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const there = await lstat(full).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (there !== undefined && !there.isFile()) {
    const what = there.isSymbolicLink() ? 'a link' : there.isDirectory() ? 'a folder' : 'a device or a pipe';
    throw new SkillError('invalid-path', `${full} is ${what}, and only files are replaced. Remove it, or give another name.`, {
      path: full,
    });
  }
  // A random name, so that nobody can put a link there first.
  const temporary = path.join(path.dirname(full), `.${randomBytes(12).toString('hex')}.tmp`);
  await writeFile(temporary, content, { flag: 'wx', ...(mode !== undefined && { mode }) });
  try {
    await rename(temporary, full);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
