import { stat } from 'node:fs/promises';
import path from 'node:path';
import { compareText } from '@repertoire/skills-core/internal';
import { archiveName } from './open-archive.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** What a path leads to: folders, or one archive. Paths are absolute. */
export type ExpandedPath = { readonly folders: readonly string[] } | { readonly archive: string };

/** Other people's code. */
const ignoredFolders: readonly string[] = ['**/node_modules/**', '**/.git/**'];

/**
 * Finds what a person named by a path: a folder, a `SKILL.md` (then its folder), an archive, or a
 * glob of folders and `SKILL.md` files.
 *
 * @throws {SkillError} `invalid-options` for a path that does not exist, for another file, and for
 *   a glob that matches nothing
 */
export async function expandPath(word: string, cwd: string): Promise<ExpandedPath> {
  const full = path.resolve(cwd, word);
  const found = await stat(full).catch(() => null);
  if (found === null && /[*?[{(]/.test(word)) return { folders: await expandGlob(word, cwd) };
  if (found?.isDirectory() === true) return { folders: [full] };
  if (found?.isFile() === true && archiveName.test(full)) return { archive: full };
  if (found !== null && isSkillFile(full)) return { folders: [path.dirname(full)] };
  const what = found === null ? 'Path does not exist' : 'Not a directory, and no archive';
  throw wrongUsage(`${what}: ${word}. Give a folder that holds skills, a SKILL.md, an archive, a glob, or a URL.`, {
    path: full,
  });
}

async function expandGlob(word: string, cwd: string): Promise<string[]> {
  const { default: fastGlob } = await import('fast-glob');
  const pattern = word.replaceAll('\\', '/');
  const matches = await fastGlob(pattern, { cwd, onlyFiles: false, ignore: [...ignoredFolders], absolute: true, dot: true });
  const folders = new Set<string>();
  for (const named of matches.sort(compareText)) {
    // Globs answer with `/`; a folder that is found twice needs one name.
    const match = path.resolve(named);
    if (isSkillFile(match)) folders.add(path.dirname(match));
    else if ((await stat(match).catch(() => null))?.isDirectory() === true) folders.add(match);
  }
  if (folders.size > 0) return [...folders];
  throw wrongUsage(`The glob ${JSON.stringify(word)} matches no folder and no SKILL.md.`);
}

function isSkillFile(file: string): boolean {
  return path.basename(file).toLowerCase() === 'skill.md';
}
