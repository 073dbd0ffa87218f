import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isResourceFolder } from '@repertoire/skills-core/internal';
import { compareText } from '@repertoire/skills-core/provider';
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
 * Finds the skills in folders, at any depth, also those that cannot be loaded. A source leaves
 * these out, and a check is about them. A folder without any skill is returned with `file: null`,
 * so that the caller can say so.
 *
 * @param folders absolute paths of folders that exist
 * @param tree what is known of folders, and learned here
 */
export async function findSkillFolders(
  folders: readonly string[],
  cwd: string,
  tree: FolderTree = new FolderTree(),
): Promise<SkillFolder[]> {
  const found = new Map<string, SkillFolder>();
  for (const target of folders) {
    for (const { folder, file } of await skillsIn(target, tree)) {
      const relative = path.relative(cwd, folder);
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
  const skills = await Promise.all(found.map(async (skill) => ((await isPart(skill.folder, skill.file ?? '', folders)) ? [] : [skill])));
  return skills.flat();
}

/**
 * Files named `SKILL.md`, in any spelling. Links are not followed, and other people's code is not
 * searched.
 */
function collect(folder: string, depth: number, tree: FolderTree, files: string[]): void {
  for (const entry of tree.entriesOf(folder)) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth < maxDepth && entry.name !== 'node_modules' && entry.name !== '.git') collect(full, depth + 1, tree, files);
    } else if (entry.isFile() && entry.name.length === skillFileLength && entry.name.toLowerCase() === 'skill.md') files.push(full);
  }
}

/**
 * Whether a `SKILL.md` belongs to the skill around it, as `@repertoire/skill-fs` reads it: it lies
 * among the resources, or has no frontmatter.
 */
async function isPart(folder: string, file: string, folders: ReadonlyMap<string, unknown>): Promise<boolean> {
  let [above, below] = [path.dirname(folder), folder];
  let isInside = false;
  for (; above !== below; [above, below] = [path.dirname(above), above]) {
    if (!folders.has(above)) continue;
    if (isResourceFolder(path.basename(below))) return true;
    isInside = true;
  }
  if (!isInside) return false;
  const handle = await open(path.join(folder, file));
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return !/^\uFEFF?\s{0,8}---/.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** `SKILL.md` comes before other spellings of it, as in the reference validator. */
function skillFileOf(names: readonly string[]): string | null {
  return names.includes('SKILL.md') ? 'SKILL.md' : (names.find((name) => name.toLowerCase() === 'skill.md') ?? null);
}
