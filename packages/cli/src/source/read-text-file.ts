import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { wrongUsage } from '../text/wrong-usage.ts';

/** Reads a file named by an option. @throws {SkillError} `invalid-options` */
export async function readTextFile(file: string, option: string, cwd: string): Promise<string> {
  const full = path.resolve(cwd, file);
  return await readFile(full, 'utf8').catch((error: unknown) => {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'There is no such file' : (error as Error).message;
    throw wrongUsage(`${option} names ${JSON.stringify(file)}, which cannot be read. ${reason}.`, {
      path: full,
      cause: error,
    });
  });
}
