import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { bundleMark } from './render-bundle.ts';
import { isChunkName } from './chunk-name.ts';
import { bundleExtensions, type BundleFiles } from './bundle-files.ts';

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
    const present = await readBytes(file);
    if (present !== null && !present.includes(bundleMark) && present.toString().trim() !== '') throw notOurs(file);
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
    for (const part of parts) await handle.writeFile(part);
  } finally {
    await handle.close();
  }
}

function notOurs(file: string): SkillError {
  return new SkillError(
    'invalid-options',
    `${file} is there already and was not made by repertoire bundle, so it is not overwritten. Give another --out, or delete the file.`,
    { path: file },
  );
}

async function isWritten(file: string, parts: readonly Uint8Array[]): Promise<boolean> {
  const present = await readBytes(file);
  if (present === null) return false;
  const bytes = present.includes('\r\n') ? Buffer.from(present.toString().replaceAll('\r\n', '\n')) : present;
  let at = 0;
  for (const part of parts) {
    if (!bytes.subarray(at, at + part.length).equals(part)) return false;
    at += part.length;
  }
  return at === bytes.length;
}

async function readText(file: string): Promise<string | null> {
  return (await readBytes(file))?.toString() ?? null;
}

async function readBytes(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
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
