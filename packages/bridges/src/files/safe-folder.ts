import { lstat, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { randomUUID } from 'node:crypto';
import { SkillError } from '@repertoire/skills-core';
import { skillDigest } from '@repertoire/skills-core/provider';

/** What is at a place: it is looked at and never followed. */
export async function kindOf(path: string): Promise<'folder' | 'link' | 'other' | 'nothing'> {
  try {
    const stat = await lstat(path);
    return stat.isSymbolicLink() ? 'link' : stat.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'nothing';
    throw error;
  }
}

/**
 * Creates the folders below a root, and refuses links among them. The root itself may be a link,
 * because the host chose it.
 *
 * @throws {SkillError} `invalid-path` where a link or a file stands in the way
 */
export async function makeFolders(root: string, names: readonly string[]): Promise<string> {
  await mkdir(root, { recursive: true });
  let folder = await realpath(root);
  for (const name of names) {
    folder = join(folder, name);
    await mkdir(folder).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
    const kind = await kindOf(folder);
    if (kind !== 'folder') {
      const message = `${folder} is a ${kind === 'link' ? 'link' : 'file'}, and skills are only written into folders. Remove it.`;
      throw new SkillError('invalid-path', message, { path: folder });
    }
  }
  return folder;
}

/**
 * The digest of the files of a folder, as `skillDigest` makes it; `null` if it holds anything but
 * files and folders, or is none.
 */
export async function digestOfFolder(folder: string): Promise<string | null> {
  if ((await kindOf(folder)) !== 'folder') return null;
  const files: [path: string, bytes: Uint8Array][] = [];
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) continue;
    if (!entry.isFile()) return null;
    const file = join(entry.parentPath, entry.name);
    files.push([relative(folder, file).split(sep).join('/'), await readFile(file)]);
  }
  return await skillDigest(Object.fromEntries(files)).catch(() => null);
}

/**
 * Replaces a folder: writes the files beside it and then moves them there, so that no reader sees
 * only some of them.
 */
export async function replaceFolder(place: string, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  const made = besides(place);
  try {
    for (const [path, bytes] of Object.entries(files)) {
      const file = join(made, ...path.split('/'));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes, { flag: 'wx' });
    }
    await removeFolder(place);
    await rename(made, place);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/**
 * Removes what is at a place: moved away first, so that it is gone at once. A link is removed, and
 * not what it leads to.
 */
export async function removeFolder(place: string): Promise<void> {
  const gone = besides(place);
  try {
    await rename(place, gone);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await rm(gone, { recursive: true, force: true });
}

/** Replaces a file at once. */
export async function replaceFile(place: string, text: string): Promise<void> {
  const made = besides(place);
  await writeFile(made, text, { flag: 'wx' });
  await rename(made, place);
}

/** A name that no reader of skills takes for one. */
function besides(place: string): string {
  return join(dirname(place), `.repertoire-${randomUUID()}`);
}
