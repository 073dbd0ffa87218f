import { isInside } from '@repertoire/skill-fs/internal';
import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseSkillLock } from '@repertoire/skill-trust/lock';
import type { CommandIo, CommandReport } from '../commands/command.ts';
import { readLibrary, type TestedLibrary } from '../evals/read-library.ts';
import { openArchiveBytes } from '../source/open-archive.ts';
import { baselineOf, parseBaseline, type RoutingBaseline } from './baseline.ts';
import { routeLibrary } from './route-library.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** What a baseline is made with. */
export interface ReadBaselineOptions {
  /** The library as it is now. */
  readonly library: TestedLibrary;
  /** The folders that it comes from. */
  readonly folders: readonly string[];
  readonly bodies: boolean;
  readonly io: CommandIo;
  readonly report: CommandReport;
}

const run = promisify(execFile);
const maxArchiveBytes = 256 * 2 ** 20;

/**
 * The routing to compare with: a file that `--write-baseline` wrote, a lock file, or a commit of
 * git.
 *
 * A lock names the skills that there were: their prompts are sent through the library without the
 * others, with the texts of today. Of a commit, everything is as it was then.
 *
 * @throws {SkillError} `invalid-options` for what is none of them
 */
export async function readBaseline(word: string, options: ReadBaselineOptions): Promise<RoutingBaseline> {
  const file = path.resolve(options.io.cwd, word);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw wrongUsage(`The baseline ${word} cannot be read: ${message}`, { path: file, cause: error });
  });
  if (text === null) return await baselineOfCommit(word, options);
  const json = jsonOf(text, word);
  return parseBaseline(json, word) ?? (await baselineOfLock(text, word, options));
}

async function baselineOfLock(text: string, word: string, { library, bodies, io }: ReadBaselineOptions): Promise<RoutingBaseline> {
  let names: Set<string>;
  try {
    names = new Set(parseSkillLock(text).skills.map(({ name }) => name));
  } catch (cause) {
    throw wrongUsage(`${word} is neither a baseline nor a lock file. Write one with --write-baseline, or with lock write.`, {
      path: word,
      cause,
    });
  }
  const skills = library.skills.filter(({ name }) => names.has(name));
  return baselineOf(await routeLibrary(skills, library.items, { bodies, signal: io.signal }));
}

async function baselineOfCommit(commit: string, { folders, bodies, io, report }: ReadBaselineOptions): Promise<RoutingBaseline> {
  if (folders.length === 0)
    throw wrongUsage(`There is no file ${commit}, and only folders have commits. Give a file that --write-baseline wrote.`);
  report.progress(`Reading the skills of ${commit}…`);
  const git = async (...words: readonly string[]): Promise<Buffer> => {
    try {
      const { stdout } = await run('git', words, { cwd: io.cwd, maxBuffer: maxArchiveBytes, encoding: 'buffer' });
      return stdout;
    } catch (error) {
      const said = String((error as { readonly stderr?: Buffer }).stderr ?? '').split('\n')[0] ?? '';
      throw wrongUsage(
        `The baseline ${commit} is no file, and cannot be read from git: ${said === '' ? (error as Error).message : said}. Give a file, or a branch, tag or commit.`,
        { cause: error },
      );
    }
  };
  const id = (await git('rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`)).toString().trim();
  const top = (await git('rev-parse', '--show-toplevel')).toString().trim();
  const inside = await Promise.all(folders.map(async (folder) => await pathInside(folder, top)));
  const there = (await git('-C', top, 'ls-tree', '-r', '-d', '-z', '--name-only', id)).toString().split('\0');
  const paths = inside.filter((folder) => folder === '' || there.includes(folder));
  if (paths.length === 0) return { skills: [], prompts: [], collisions: [] };
  const packed = await git('-C', top, 'archive', '--format=tar.gz', id, '--', ...paths.map((each) => (each === '' ? '.' : each)));
  const provider = await openArchiveBytes(packed, commit, `git ${commit}`);
  const before = await readLibrary(provider, report, io.signal);
  return baselineOf(await routeLibrary(before.skills, before.items, { bodies, signal: io.signal }));
}

async function pathInside(folder: string, top: string): Promise<string> {
  const [outer, real] = [await realpath(top), await realpath(folder)];
  if (!isInside(outer, real))
    throw wrongUsage(`${folder} is outside of the repository ${top}, so a commit says nothing of it.`, {
      path: folder,
    });
  return path.relative(outer, real).split(path.sep).join('/');
}

function jsonOf(text: string, word: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw wrongUsage(`The baseline ${word} is no JSON. Write one with --write-baseline.`, { path: word, cause });
  }
}
