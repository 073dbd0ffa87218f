import { existsSync, globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { slowTests } from './test/slow-tests.ts';
import { isWritable } from './tools/is-writable.ts';
import { LongestFirst } from './tools/longest-first.ts';
import { ResultLineReporter } from './tools/vitest-reporter.ts';

/** Lets tests run on the sources of every package, so that no build can be stale. Without `module`: Node loads what is outside, and does not know it. */
const condition = '@repertoire/source';
const conditions = [condition, 'node', 'development|production'];

const projects: TestProjectInlineConfiguration[] = [
  ...globSync(['packages/*', 'examples/*', 'benchmarks'], { cwd: import.meta.dirname })
    .filter((folder) => existsSync(join(import.meta.dirname, folder, 'test')))
    .toSorted()
    .map((folder) => project(basename(folder), folder, 'test/**/*.test.ts', { isolate: !folder.startsWith('packages') })),
  project('repo', 'test/repo', '*.test.ts', { isolate: false }),
  project('e2e', 'e2e', '*.test.ts', { isolate: false }),
  project('e2e/seeds', 'e2e/seeds', '*.test.ts', { isolate: false }),
  project('e2e/soak', 'e2e/soak', '*.test.ts'),
  project('e2e/fuzz', 'e2e/fuzz', '*.test.ts'),
  project('e2e/agents', 'e2e/agents', '{,bridges/}*.test.ts', { globalSetup: ['e2e/agents/install.ts'] }),
  project('e2e/packages', 'e2e/packages', '*.test.ts', { isolate: false, globalSetup: ['e2e/packages/prepare.ts'] }),
];

// Workers, and the programs that tests start, are new processes, which would compile the same files again.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node');

// Programs that tests start say the same everywhere, whatever a terminal or a CI asks for.
for (const name of ['CI', 'COLUMNS', 'FORCE_COLOR', 'NO_COLOR']) delete process.env[name];

const isFast = process.env['REPERTOIRE_TESTS'] === 'fast';

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    projects: isFast ? projects.filter(({ test }) => test?.include?.every((pattern) => pattern.startsWith('packages/'))) : projects,
    exclude: ['**/node_modules/**', ...(isFast ? slowTests.map((path) => join(import.meta.dirname, path)) : [])],
    // More than there are cores: many tests wait for servers, processes and installs.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // Only what hangs runs into these, also where twenty other programs run.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 240_000 } },
    execArgv: [`--conditions=${condition}`],
    // Most tests listen to no diagnostics, which are then printed.
    onConsoleLog: (log) => (log.startsWith('[repertoire] ') ? false : undefined),
    reporters: [['default', { summary: false }], new ResultLineReporter()],
    passWithNoTests: false,
    // Projects share what is compiled, since they have one root. An ordinary user in a checkout of root's has no place for it.
    fsModuleCache: isWritable(join(import.meta.dirname, 'node_modules')),
    coverage: { include: ['packages/*/src/**'] },
  },
});

interface ProjectOptions {
  /**
   * Whether each test file gets a process of its own. Most share one: to start it and to import a framework takes longer than most files. What such a file changes in the process (a global, a variable of the environment) it puts back.
   * @default true
   */
  readonly isolate?: boolean;
  /** Modules, from the root, that run once before the tests of the project. @default none */
  readonly globalSetup?: readonly string[];
}

function project(
  name: string,
  root: string,
  pattern: string,
  { isolate = true, globalSetup = [] }: ProjectOptions = {},
): TestProjectInlineConfiguration {
  const absolute = (path: string): string => join(import.meta.dirname, path);
  return { extends: true, test: { name, include: [`${root}/${pattern}`], isolate, globalSetup: globalSetup.map(absolute) } };
}
