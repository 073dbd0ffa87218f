import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { isInsideByGit } from './is-inside-by-git.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

const run = promisify(execFile);
const maxOutputBytes = 64 * 2 ** 20;

/**
 * The skills of which a file differs from a commit: committed since, changed, or not yet tracked.
 * Files that were removed count too.
 *
 * @throws {SkillError} `invalid-options` outside of a repository, and for a commit that does not
 *   exist
 */
export async function changedFolders<Folder extends { readonly folder: string }>(
  folders: readonly Folder[],
  commit: string,
  cwd: string,
): Promise<Folder[]> {
  const git = async (directory: string, ...words: readonly string[]): Promise<string> => {
    try {
      return (await run('git', words, { cwd: directory, maxBuffer: maxOutputBytes })).stdout;
    } catch (error) {
      const [reason = ''] = ((error as { readonly stderr?: string }).stderr ?? '').split('\n');
      const why = reason === '' ? (error as Error).message : reason;
      throw wrongUsage(`--since ${commit} cannot be compared with: ${why}. Give a branch, tag or commit of this repository.`, {
        cause: error,
      });
    }
  };
  const top = (await git(cwd, 'rev-parse', '--show-toplevel')).trimEnd();
  const changed = await git(top, 'diff', '--name-only', '--no-renames', '-z', '--end-of-options', commit, '--');
  const added = await git(top, 'ls-files', '--others', '--exclude-standard', '-z');
  const files = [...changed.split('\0'), ...added.split('\0')].filter((file) => file !== '').map((file) => path.resolve(top, file));
  // git tells real paths.
  const real = await Promise.all(folders.map(async (each) => ({ each, folder: await realpath(each.folder) })));
  return real.filter(({ folder }) => files.some((file) => isInsideByGit(folder, file))).map(({ each }) => each);
}
