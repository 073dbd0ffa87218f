import { closeSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isResourceFolder, compareText } from '@repertoire/skills-core/internal';
import { FolderTree } from './folder-tree.ts';

/** A folder to be checked as a skill. */
export interface SkillFolder {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** The folder as people name it: relative to the working directory where it is inside. */
  readonly shown: string;
  /** Name of its file of instructions as it is on disk, or `null` if there is none. */
  readonly file: string | null;
}

const maxDepth = 64;
const skillFileLength = 'SKILL.md'.length;

/**
 * Finds skills in folders at any depth, also those that cannot be loaded. A folder without any
 * skill is returned with `file: null`.
 *
 * @param folders absolute paths of folders that exist
 * @param tree caches folders
 */
export async function findSkillFolders(
  folders: readonly string[],
  cwd: string,
  tree: FolderTree = new FolderTree(),
): Promise<SkillFolder[]> {
  const found = new Map<string, SkillFolder>();
  const inside = path.join(cwd, path.sep);
  for (const target of folders) {
    for (const { folder, file } of await skillsIn(target, tree)) {
      // `path.relative` takes longer than the rest of this.
      const relative = folder.startsWith(inside) && !folder.endsWith(path.sep) ? folder.slice(inside.length) : path.relative(cwd, folder);
      const shown = relative.startsWith('..') || path.isAbsolute(relative) ? folder : relative === '' ? '.' : relative;
      if (!found.has(folder)) found.set(folder, { folder, shown, file });
    }
  }
  return [...found.values()];
}

async function skillsIn(target: string, tree: FolderTree): Promise<{ readonly folder: string; readonly file: string | null }[]> {
  const own = skillFileOf(await readdir(target));
  if (own !== null) return [{ folder: target, file: own }];
  const files: string[] = [];
  collect(target, 0, tree, files);
  const folders = new Map<string, string[]>();
  for (const file of files.sort(compareText)) {
    const folder = path.dirname(file);
    const names = folders.get(folder);
    if (names === undefined) folders.set(folder, [path.basename(file)]);
    else names.push(path.basename(file));
  }
  if (folders.size === 0) return [{ folder: target, file: null }];
  const found = [...folders].map(([folder, names]) => ({ folder, file: skillFileOf(names) }));
  return found.filter(({ folder, file }) => !isPart(folder, file ?? '', target, folders));
}

/** Files named `SKILL.md` in any spelling, without links and other people's code. */
function collect(folder: string, depth: number, tree: FolderTree, files: string[]): void {
  // One `path.join` for each entry takes as long as reading the folder.
  const inside = path.join(folder, path.sep);
  for (const entry of tree.entriesOf(folder)) {
    if (entry.isDirectory()) {
      if (depth < maxDepth && entry.name !== 'node_modules' && entry.name !== '.git')
        collect(`${inside}${entry.name}`, depth + 1, tree, files);
    } else if (entry.isFile() && entry.name.length === skillFileLength && entry.name.toLowerCase() === 'skill.md')
      files.push(`${inside}${entry.name}`);
  }
}

/** Whether a `SKILL.md` is a part of the skill around it, as `@repertoire/skill-fs` reads it. */
function isPart(folder: string, file: string, target: string, folders: ReadonlyMap<string, unknown>): boolean {
  let [above, below] = [path.dirname(folder), folder];
  let isInside = false;
  for (; above !== below && above.length > target.length; [above, below] = [path.dirname(above), above]) {
    if (!folders.has(above)) continue;
    if (isResourceFolder(path.basename(below))) return true;
    isInside = true;
  }
  if (!isInside) return false;
  const handle = openSync(path.join(folder, file), 'r');
  try {
    const buffer = Buffer.alloc(64);
    return !/^\uFEFF?\s{0,8}---/.test(buffer.toString('utf8', 0, readSync(handle, buffer, 0, 64, 0)));
  } finally {
    closeSync(handle);
  }
}

/** `SKILL.md` comes before other spellings of it, as in the reference validator. */
function skillFileOf(names: readonly string[]): string | null {
  return names.includes('SKILL.md') ? 'SKILL.md' : (names.find((name) => name.toLowerCase() === 'skill.md') ?? null);
}
