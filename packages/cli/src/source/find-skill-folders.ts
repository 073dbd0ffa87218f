import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { compareText } from '@repertoire/skills-core/provider';
import fastGlob from 'fast-glob';

/** A folder to be checked as a skill. */
export interface SkillFolder {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** The folder as people name it: relative to the working directory where it is inside. */
  readonly shown: string;
  /** Name of its file of instructions as it is on disk, or `null` if there is none. */
  readonly file: string | null;
}

/** Folders that hold other people's code, and never skills of this project. */
const ignored = ['**/node_modules/**', '**/.git/**'];

/**
 * Finds the skills that a person named: a folder that is a skill, a `SKILL.md`, a folder with skills at any depth below it, or a glob of
 * these. A folder without any skill is returned with `file: null`, so that the caller can say so.
 *
 * @throws {SkillError} `invalid-options` for a path that does not exist, and for a glob that matches nothing
 */
export async function findSkillFolders(words: readonly string[], cwd: string): Promise<SkillFolder[]> {
  const found = new Map<string, SkillFolder>();
  for (const word of words) {
    for (const target of await expand(word, cwd)) {
      for (const { folder, file } of await skillsIn(target)) {
        const relative = path.relative(cwd, folder);
        const shown = relative.startsWith('..') || path.isAbsolute(relative) ? folder : relative === '' ? '.' : relative;
        if (!found.has(folder)) found.set(folder, { folder, shown, file });
      }
    }
  }
  return [...found.values()];
}

async function expand(word: string, cwd: string): Promise<string[]> {
  const target = path.resolve(cwd, word);
  if ((await stat(target).catch(() => null)) !== null) return [target];
  if (!fastGlob.isDynamicPattern(word)) {
    throw new SkillError('invalid-options', `Path does not exist: ${word}. Give a folder with a SKILL.md, or a glob.`, { path: target });
  }
  const matches = await fastGlob(word.replaceAll('\\', '/'), { cwd, onlyFiles: false, ignore: ignored, absolute: true, dot: true });
  if (matches.length > 0) {
    const named = matches.sort(compareText).map((match) => path.resolve(match));
    const folders = await Promise.all(named.map(async (match) => ((await isSkillOrFolder(match)) ? [match] : [])));
    if (folders.flat().length > 0) return folders.flat();
  }
  throw new SkillError('invalid-options', `The glob ${JSON.stringify(word)} matches no folder and no SKILL.md.`);
}

async function isSkillOrFolder(match: string): Promise<boolean> {
  return path.basename(match).toLowerCase() === 'skill.md' || (await stat(match).catch(() => null))?.isDirectory() === true;
}

async function skillsIn(target: string): Promise<{ readonly folder: string; readonly file: string | null }[]> {
  if (!(await stat(target)).isDirectory()) {
    if (path.basename(target).toLowerCase() === 'skill.md') return [{ folder: path.dirname(target), file: path.basename(target) }];
    throw new SkillError('invalid-options', `Not a directory: ${target}. Give the folder of a skill, or its SKILL.md.`, { path: target });
  }
  const own = skillFileOf(await readdir(target));
  if (own !== null) return [{ folder: target, file: own }];
  const files = await fastGlob('**/SKILL.md', {
    cwd: target,
    ignore: ignored,
    absolute: true,
    dot: true,
    caseSensitiveMatch: false,
    followSymbolicLinks: false,
  });
  const folders = new Map<string, string[]>();
  for (const file of files.sort(compareText)) {
    // Globs are answered with `/` everywhere, and a folder that is found twice has to be found by one name.
    const folder = path.resolve(path.dirname(file));
    folders.set(folder, [...(folders.get(folder) ?? []), path.basename(file)]);
  }
  if (folders.size === 0) return [{ folder: target, file: null }];
  const found = [...folders].map(([folder, names]) => ({ folder, file: skillFileOf(names) }));
  const skills = await Promise.all(found.map(async (skill) => ((await isPhase(skill.folder, skill.file ?? '', folders)) ? [] : [skill])));
  return skills.flat();
}

/** A `SKILL.md` without frontmatter inside another skill is a part of that skill, as `@repertoire/skill-fs` reads it. */
async function isPhase(folder: string, file: string, folders: ReadonlyMap<string, unknown>): Promise<boolean> {
  let above = path.dirname(folder);
  while (!folders.has(above) && above !== path.dirname(above)) above = path.dirname(above);
  if (!folders.has(above)) return false;
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
