import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../tools/workspace.ts';

/** Paths of the files that are in git, or would be by `git add --all`; from the root, in order. */
export function trackedFiles(): string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const paths = output.split('\0').filter((path) => path !== '' && existsSync(join(repositoryRoot, path)));
  return [...new Set(paths)].toSorted();
}
