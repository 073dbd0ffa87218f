import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { runCommand } from '../run-command.ts';
import { repositoryRoot } from '../workspace.ts';

/** How tests ended. */
export interface TestOutcome {
  readonly ok: boolean;
  readonly output: string;
  /** The test file that failed first, from the root. `undefined` where the whole run broke. */
  readonly failedFile?: string | undefined;
}

/** Changes the text of a file. `null` where the place is not there. */
export type SourceChange = (source: string) => string | null;

/** A copy of this repository, in which sources may be changed. */
export interface CopiedRepository {
  /** Runs tests with one file changed, and puts the file back. `null` where `change` finds nothing to change. */
  runChanged(file: string, change: SourceChange, tests: readonly string[]): Promise<TestOutcome | null>;
  /** Runs tests, up to the first that fails. */
  run(tests: readonly string[]): Promise<TestOutcome>;
}

/** CPU seconds after which a test process is ended: a change may make a loop endless. The largest package needs less than half; few files need less than 20. */
const maxCpuSeconds = { few: 60, many: 180 };

/** A change may also make a test wait for what never comes. */
const testTimeoutMs = 60_000;

/** Copies what Git knows or would know, and links what is installed. The copy goes away with the process. */
export async function copiedRepository(): Promise<CopiedRepository> {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-mutants-')));
  // Confined programs of a host that is root run as users of their own, who read sources here.
  chmodSync(copy, 0o755);
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

  const { output } = await runCommand(['git', 'ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  for (const file of output.split('\0').filter((path) => path !== '' && existsSync(join(repositoryRoot, path)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(repositoryRoot, file), join(copy, file));
  }
  symlinkSync(join(repositoryRoot, 'node_modules'), join(copy, 'node_modules'));
  const workspaces = globSync(['packages/*', 'examples/*', 'e2e', 'benchmarks'], { cwd: repositoryRoot });
  for (const workspace of workspaces) linkInstalled(copy, join(workspace, 'node_modules'));

  const report = join(copy, '.vitest-report.json');
  const run = async (tests: readonly string[]): Promise<TestOutcome> => {
    rmSync(report, { force: true });
    const options = ['--bail=1', `--testTimeout=${testTimeoutMs}`, '--reporter=json', `--outputFile=${report}`];
    // Each project is one more server of Vite.
    if (tests.every((test) => test.startsWith('packages/'))) options.push('--project=packages');
    const limit = tests.length > 3 ? maxCpuSeconds.many : maxCpuSeconds.few;
    const vitest = ['node', 'node_modules/vitest/vitest.mjs', 'run', ...options, ...tests];
    // The soft limit alone: confined programs of tests are to set limits of their own.
    const result = await runCommand(['sh', '-c', `ulimit -S -t ${limit}; exec "$@"`, 'sh', ...vitest], { directory: copy });
    return { ...result, ...failureIn(report, copy) };
  };
  return {
    run,
    async runChanged(file, change, tests) {
      const path = join(copy, file);
      const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const changed = change(source);
      if (changed === null) return null;
      writeFileSync(path, changed);
      try {
        return await run(tests);
      } finally {
        writeFileSync(path, source);
      }
    },
  };
}

/** The first test that failed, and what it said. Nothing where no report was written. */
function failureIn(report: string, copy: string): Partial<TestOutcome> {
  if (!existsSync(report)) return {};
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly testResults: readonly {
      readonly name: string;
      readonly status: string;
      readonly message?: string;
      readonly assertionResults: readonly { readonly status: string; readonly failureMessages?: readonly string[] | null }[];
    }[];
  };
  // Files that the first failure cut off are reported as failed, too.
  const all = testResults.filter(({ status }) => status === 'failed');
  const failed = all.find(({ assertionResults }) => assertionResults.some(({ status }) => status === 'failed')) ?? all[0];
  if (failed === undefined) return {};
  const messages = failed.assertionResults.flatMap(({ failureMessages }) => failureMessages ?? []);
  return { failedFile: relative(copy, failed.name), output: [failed.message, ...messages].join('\n') };
}

/** Packages of this workspace are linked to their copies. */
function linkInstalled(copy: string, folder: string): void {
  const from = join(repositoryRoot, folder);
  if (!existsSync(from)) return;
  mkdirSync(join(copy, folder), { recursive: true });
  for (const name of readdirSync(from).filter((entry) => !entry.startsWith('.'))) {
    const entry = join(from, name);
    if (name.startsWith('@') && !lstatSync(entry).isSymbolicLink()) {
      linkInstalled(copy, join(folder, name));
      continue;
    }
    const inside = relative(repositoryRoot, realpathSync(entry));
    symlinkSync(inside.startsWith('packages') ? join(copy, inside) : realpathSync(entry), join(copy, folder, name));
  }
}
