import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { batchesOf } from './batches-of.ts';
import { bundleExtensions, type BundleFiles } from './bundle-files.ts';
import { bundleMark } from './bundle-header.ts';
import { isChunkName } from './chunk-name.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** How the files on disk differ from those of a bundle, by absolute path. */
export interface BundleDifference {
  /** Missing, or with other contents. */
  readonly outdated: readonly string[];
  /** Chunks of an earlier bundle, which no bundle beside this one needs. */
  readonly stale: readonly string[];
}

/** Compares without writing. Line ends do not count, since a checkout may have changed them. */
export async function compareBundle({ files, folder }: BundleFiles, out: string): Promise<BundleDifference> {
  const outdated: string[] = [];
  for (const [file, content] of files) {
    if (!(await isWritten(file, content))) outdated.push(file);
  }
  const stem = out.slice(0, -path.extname(out).length);
  const chunkFolder = folder ?? `${stem}.chunks`;
  const others = bundleExtensions.map((extension) => `${stem}${extension}`).filter((file) => file !== out);
  const sharing = (await Promise.all(others.map(readText))).join('\n');
  const stale = (await namesIn(chunkFolder))
    .filter((name) => isChunkName(name) && !sharing.includes(name))
    .map((name) => path.join(chunkFolder, name));
  return { outdated, stale: stale.filter((file) => !files.has(file)).sort() };
}

/**
 * Updates the files on disk, the bundle itself last, and removes unused ones at the end: readers
 * get the old bundle or the new one.
 *
 * @throws {SkillError} `invalid-options` if it would overwrite another file,
 *   `source-unavailable` if a file cannot be written
 */
export async function writeBundle(bundle: BundleFiles, out: string): Promise<BundleDifference> {
  const difference = await compareBundle(bundle, out);
  for (const file of difference.outdated) {
    if (await isOfSomebodyElse(file)) throw notOurs(file);
  }
  for (const file of difference.outdated) {
    const temporary = path.join(path.dirname(file), `.${randomUUID()}.tmp`);
    try {
      await mkdir(path.dirname(file), { recursive: true });
      await writeParts(temporary, bundle.files.get(file) ?? []);
      await rename(temporary, file);
    } catch (cause) {
      await rm(temporary, { force: true });
      throw new SkillError('source-unavailable', `${file} cannot be written: ${String(cause)}. Check the path and its permissions.`, {
        path: file,
        cause,
      });
    }
  }
  for (const file of difference.stale) await rm(file, { force: true });
  return difference;
}

/**
 * Part by part: `writeFile` of several parts is not known to the file system of Yarn's Plug'n'Play.
 */
async function writeParts(file: string, parts: readonly Uint8Array[]): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    for (const part of batchesOf(parts)) await handle.writeFile(part);
  } finally {
    await handle.close();
  }
}

function notOurs(file: string): SkillError {
  return wrongUsage(
    `${file} is there already and was not made by repertoire bundle, so it is not overwritten. Give another --out, or delete the file.`,
    { path: file },
  );
}

/**
 * Whether a file holds these parts, one behind another. It is read in parts, too: it may be large.
 */
async function isWritten(file: string, parts: readonly Uint8Array[]): Promise<boolean> {
  return (
    (await withFile(file, async (handle, size) => {
      const expected = parts.reduce((total, { length }) => total + length, 0);
      if (size > expected && (await readHead(handle)).includes('\r\n'))
        return Buffer.concat(parts).equals(Buffer.from((await readFile(file, 'utf8')).replaceAll('\r\n', '\n')));
      if (size !== expected) return false;
      let position = 0;
      for (const part of batchesOf(parts)) {
        const present = Buffer.alloc(part.length);
        const { bytesRead } = await handle.read(present, 0, part.length, position);
        if (bytesRead !== part.length || !present.equals(part)) return false;
        position += part.length;
      }
      return true;
    })) === true
  );
}

/** Whether somebody else wrote a file that is there. A blank one is nobody's. */
async function isOfSomebodyElse(file: string): Promise<boolean> {
  const head = await withFile(file, readHead);
  return head !== null && !head.includes(bundleMark) && (head.trim() !== '' || (await readText(file))?.trim() !== '');
}

/** The first lines have our mark, and line ends as all others. */
async function readHead(handle: FileHandle): Promise<string> {
  const head = Buffer.alloc(4096);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  return head.toString('utf8', 0, bytesRead);
}

/** `null` where there is no file. */
async function withFile<Result>(file: string, work: (handle: FileHandle, size: number) => Promise<Result>): Promise<Result | null> {
  try {
    const handle = await open(file, 'r');
    try {
      const found = await handle.stat();
      return found.isFile() ? await work(handle, found.size) : null;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function readText(file: string): Promise<string | null> {
  return await withFile(file, async (handle) => await handle.readFile('utf8'));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}
