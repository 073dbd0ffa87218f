import { lstat, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
      throw new SkillError(
        'invalid-path',
        `${folder} is a ${kind === 'link' ? 'link' : 'file'}, and skills are only written into folders. Remove it.`,
        {
          path: folder,
        },
      );
    }
  }
  return folder;
}

/** The `skillDigest` of a folder; `null` if it holds more than files and folders. */
export async function digestOfFolder(folder: string): Promise<string | null> {
  if ((await kindOf(folder)) !== 'folder') return null;
  const files: Record<string, Uint8Array> = Object.create(null) as Record<string, Uint8Array>;
  const inside = async (path: string): Promise<boolean> => {
    for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!(await inside(below))) return false;
      } else if (entry.isFile()) files[below] = await readFile(join(folder, below));
      else return false;
    }
    return true;
  };
  return (await inside('')) ? await skillDigest(files).catch(() => null) : null;
}

/** Replaces a folder by renaming, so that no reader sees half of it. */
export async function replaceFolder(place: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const made = besides(place);
  try {
    for (const [path, bytes] of files) {
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

/** Renames first, so that it is gone at once. Removes links, not their targets. */
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
