/**
 * `node tools/check-lint.ts [--changed]`: lints everything and type-checks it along, each file by its nearest `tsconfig.json`. `packages/tsconfig.json` has all sources
 * that may not know of Node: a program for each package would load and check the same libraries twenty times. That exports carry their types is seen by the build,
 * which makes declarations file by file.
 *
 * `--changed` looks at files that the last commit does not have as they are, for `pnpm test --fast`.
 */
import { execFileSync } from 'node:child_process';
import { totalmem } from 'node:os';
import { runCommand } from './run-command.ts';
import { inRepository, repositoryRoot } from './workspace.ts';

/** A workspace of its own: its frameworks are installed by its tests, one of which checks the types. */
const withoutTypes = 'e2e/agents';

/**
 * The checker of types is written in Go. Its collector took a quarter of the processor time of a run, whose memory ends with it: it waits until 4 GiB are in use,
 * where a computer has them to spare. The types of this repository are about 2 GiB.
 */
const environment = totalmem() < 12 * 2 ** 30 ? {} : { GOGC: 'off', GOMEMLIMIT: '4GiB' };

for (const parameters of process.argv.includes('--changed') ? ofChanged() : ofAll()) {
  const { ok, output } = await runCommand(['oxlint', '--deny-warnings', ...parameters], { environment });
  if (ok) continue;
  console.log(output);
  process.exitCode = 1;
}

function ofAll(): string[][] {
  return [['--type-check', '--ignore-pattern', `${withoutTypes}/**`], [withoutTypes]];
}

function ofChanged(): string[][] {
  const git = (...words: string[]): string[] => execFileSync('git', words, { cwd: repositoryRoot, encoding: 'utf8' }).split('\0');
  const changed = [...git('diff', '--name-only', '-z', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard', '-z')];
  const files = changed.filter((path) => /\.(?:[cm]?ts|tsx|[cm]?js)$/.test(path) && inRepository(path));
  const [typed, untyped] = [false, true].map((without) => files.filter((path) => path.startsWith(`${withoutTypes}/`) === without));
  return [['--type-check', ...(typed ?? [])], untyped ?? []].filter((parameters) => parameters.some((word) => !word.startsWith('--')));
}
