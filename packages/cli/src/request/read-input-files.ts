import { open } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { isResourcePath } from '@repertoire/skills-core/provider';
import { wrongUsage } from '../text/wrong-usage.ts';

/** Files of a person for scripts, by the path that a script reads them at. */
export type InputFiles = Readonly<Record<string, Uint8Array>>;

/** Of all files together: a runner copies them for each run. */
const maxInputBytes = 64 * 2 ** 20;
const maxInputFiles = 100;

/**
 * Reads the files that a person hands to scripts, which find them below `inputs/`:
 * `data/orders.csv`, or `orders.csv=data/2026/orders.csv` where a script is to see it at another
 * path. A script gets copies. The files themselves are not reached from there.
 *
 * @throws {SkillError} `invalid-options` for a file that cannot be read, one that is no regular
 *   file, a path that leaves the working folder without another name, and two files at one path;
 *   `limit-exceeded` for too many, or too many bytes
 */
export async function readInputFiles(words: readonly string[], cwd: string): Promise<InputFiles> {
  if (words.length > maxInputFiles)
    throw new SkillError('limit-exceeded', `--file names ${words.length} files, and ${maxInputFiles} is the limit. Pack them into one.`);
  const files: Record<string, Uint8Array> = Object.create(null) as Record<string, Uint8Array>;
  let left = maxInputBytes;
  for (const word of words) {
    const { file, name } = namesOf(word, cwd);
    if (name in files) throw wrongUsage(`--file names two files for ${name}. Give one of them another path: other.csv=${file}.`);
    const bytes = await readUpTo(file, left, cwd);
    left -= bytes.length;
    files[name] = bytes;
  }
  return files;
}

/** `name=file`, or a file. A file whose name has a `=` is written with `./` before it. */
function namesOf(word: string, cwd: string): { readonly file: string; readonly name: string } {
  const at = /^[.~/\\]/.test(word) ? -1 : word.indexOf('=');
  const file = at === -1 ? word : word.slice(at + 1);
  const name = at === -1 ? path.relative(cwd, path.resolve(cwd, file)).split(path.sep).join('/') : word.slice(0, at);
  if (file !== '' && isResourcePath(name)) return { file, name };
  throw wrongUsage(
    `A script cannot see ${JSON.stringify(word)} at ${JSON.stringify(name)}. Say where it is to see it: --file ${path.basename(file) || 'data.csv'}=${file || 'path/to/data.csv'}`,
  );
}

/** Reads from one handle, so what is measured is what is read. Pipes are refused. */
async function readUpTo(file: string, limit: number, cwd: string): Promise<Uint8Array> {
  const full = path.resolve(cwd, file);
  const handle = await open(full, 'r').catch((error: unknown) => {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'There is no such file' : (error as Error).message;
    throw wrongUsage(`--file names ${JSON.stringify(file)}, which cannot be read. ${reason}.`, {
      path: full,
      cause: error,
    });
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw wrongUsage(`--file names ${JSON.stringify(file)}, which is no regular file.`, { path: full });
    const bytes = found.size > limit ? null : await handle.readFile();
    if (bytes === null || bytes.length > limit)
      throw new SkillError(
        'limit-exceeded',
        `The files of --file have more than ${maxInputBytes} bytes together, with ${JSON.stringify(file)}.`,
        { path: full },
      );
    return bytes;
  } finally {
    await handle.close();
  }
}
