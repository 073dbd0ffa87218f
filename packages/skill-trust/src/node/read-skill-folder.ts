import { constants } from 'node:fs';
import { lstat, open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, concatBytes, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import type { SkillFiles } from '../verify/verify-files.ts';

/** Options of {@link readSkillFolder}. */
export interface ReadSkillFolderOptions {
  /** Maximum number of files. @default 10000 */
  readonly maxFiles?: number | undefined;
  /** Maximum bytes of all files together. @default 268435456 (256 MiB) */
  readonly maxBytes?: number | undefined;
  /** Maximum nesting of folders. @default 32 */
  readonly maxDepth?: number | undefined;
}

/** The files of a repository. They are never signed, and there are many. */
const neverSigned: readonly string[] = ['.git'];

/** Links are not followed, and opening a pipe does not block. Windows has neither flag. */
const openFlags: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const knownOptions: OptionRules<ReadSkillFolderOptions> = {
  maxFiles: 'number',
  maxBytes: 'number',
  maxDepth: 'number',
};

/**
 * Reads the files of a skill's folder, for `verifySkill` and `signSkill`. Symbolic links are not
 * followed; they, and everything else that is not a regular file, are `null`. Names are used as the
 * file system returns them.
 *
 * @throws {SkillError} `source-unavailable` for a folder that cannot be read; `limit-exceeded` for
 *   more files, bytes or folders than the limits; `invalid-path` for a name that is not Unicode
 * @example
 * ```ts
 * import { createSkillVerifier } from '@repertoire/skill-trust';
 * import { readSkillFolder } from '@repertoire/skill-trust/node';
 *
 * export async function isGenuine(folder: string, rootPem: string): Promise<boolean> {
 *   return (await createSkillVerifier({ roots: [rootPem] }).verifySkill(await readSkillFolder(folder))).verified;
 * }
 * ```
 */
export async function readSkillFolder(folder: string, options: ReadSkillFolderOptions = {}): Promise<SkillFiles> {
  assertKnownOptions('readSkillFolder', options, knownOptions);
  const of = 'readSkillFolder';
  const maxFiles = numberOption('maxFiles', options.maxFiles, { of, fallback: 10_000, least: 1 });
  const maxBytes = numberOption('maxBytes', options.maxBytes, { of, fallback: 256 * 1024 * 1024, least: 0 });
  const maxDepth = numberOption('maxDepth', options.maxDepth, { of, fallback: 32, least: 1 });
  const files = new Map<string, Uint8Array | null>();
  let left = maxBytes;

  async function visit(directory: string, prefix: string, depth: number): Promise<void> {
    if (depth > maxDepth) throw beyond(folder, `${maxDepth} folders inside each other (maxDepth)`);
    const names = (await readdir(directory, { encoding: 'buffer' })).map((name) => nameOf(name, prefix)).sort();
    for (const name of names) {
      const path = `${prefix}${name}`;
      if (neverSigned.includes(path)) continue;
      const full = join(directory, name);
      const found = await lstat(full);
      if (found.isDirectory()) {
        await visit(full, `${path}/`, depth + 1);
        continue;
      }
      if (files.size >= maxFiles) throw beyond(folder, `${maxFiles} files (maxFiles)`);
      const bytes = found.isFile() ? await readUpTo(full, left) : null;
      if (bytes !== null && bytes.length > left) throw beyond(folder, `${maxBytes} bytes (maxBytes)`);
      left -= bytes?.length ?? 0;
      files.set(path, bytes);
    }
  }

  try {
    await visit(folder, '', 1);
  } catch (error) {
    if (SkillError.isInstance(error)) throw error;
    throw new SkillError('source-unavailable', `The folder ${JSON.stringify(folder)} cannot be read: ${(error as Error).message}`, {
      cause: error,
      path: folder,
    });
  }
  return files;
}

/** Reads a file and one byte more than allowed; `null` if it was replaced meanwhile. */
async function readUpTo(path: string, limit: number): Promise<Uint8Array | null> {
  let handle: FileHandle;
  try {
    handle = await open(path, openFlags);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return null;
    throw error;
  }
  try {
    if (!(await handle.stat()).isFile()) return null;
    const chunks: Uint8Array[] = [];
    for await (const chunk of handle.createReadStream({ start: 0, end: limit, autoClose: false })) chunks.push(chunk as Uint8Array);
    return concatBytes(chunks);
  } finally {
    await handle.close();
  }
}

function nameOf(name: Uint8Array, prefix: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    throw new SkillError('invalid-path', `A name in ${JSON.stringify(prefix === '' ? '.' : prefix)} is not UTF-8. Rename the file.`);
  }
}

function beyond(folder: string, limit: string): SkillError {
  return new SkillError('limit-exceeded', `The folder ${JSON.stringify(folder)} has more than ${limit}.`, { path: folder });
}
