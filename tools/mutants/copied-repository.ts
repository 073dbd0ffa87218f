import {
  cpSync,
  existsSync,
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

/** A copy of this repository, in which sources may be changed. */
export interface CopiedRepository {
  /** Runs tests with one file changed, and puts the file back. `null` where `change` finds nothing to change. */
  runChanged(file: string, change: (source: string) => string | null, tests: readonly (readonly string[])[]): Promise<TestOutcome | null>;
  /** Runs tests, up to the first that fails. */
  run(tests: readonly string[]): Promise<TestOutcome>;
}

/** CPU seconds after which a test process is ended: a change may make a loop endless. The largest package needs less than half. */
const maxCpuSeconds = 180;

/** Copies what Git knows or would know, and links what is installed. The copy goes away with the process. */
export async function copiedRepository(): Promise<CopiedRepository> {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-mutants-')));
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

  const { output } = await runCommand(['git', 'ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  for (const file of output.split('\0').filter((path) => path !== '' && existsSync(join(repositoryRoot, path)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(repositoryRoot, file), join(copy, file));
  }
  symlinkSync(join(repositoryRoot, 'node_modules'), join(copy, 'node_modules'));
  for (const name of readdirSync(join(repositoryRoot, 'packages'))) linkInstalled(copy, join('packages', name, 'node_modules'));
  linkInstalled(copy, join('e2e', 'node_modules'));

  const report = join(copy, '.vitest-report.json');
  const run = async (tests: readonly string[]): Promise<TestOutcome> => {
    rmSync(report, { force: true });
    const vitest = ['node', 'node_modules/vitest/vitest.mjs', 'run', '--bail', '1', '--reporter=json', `--outputFile=${report}`, ...tests];
    const result = await runCommand(['sh', '-c', `ulimit -t ${maxCpuSeconds}; exec "$@"`, 'sh', ...vitest], { directory: copy });
    return { ...result, failedFile: failedFileOf(report, copy) };
  };
  return {
    run,
    async runChanged(file, change, groups) {
      const path = join(copy, file);
      const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const changed = change(source);
      if (changed === null) return null;
      writeFileSync(path, changed);
      try {
        let result: TestOutcome = { ok: true, output: '' };
        for (const tests of groups) if (result.ok) result = await run(tests);
        return result;
      } finally {
        writeFileSync(path, source);
      }
    },
  };
}

function failedFileOf(report: string, copy: string): string | undefined {
  if (!existsSync(report)) return undefined;
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly testResults: readonly { readonly name: string; readonly status: string }[];
  };
  const failed = testResults.find(({ status }) => status === 'failed');
  return failed && relative(copy, failed.name);
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
