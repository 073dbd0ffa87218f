import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { slowTests } from './test/slow-tests.ts';
import { isWritable } from './tools/is-writable.ts';
import { LongestFirst } from './tools/longest-first.ts';
import { ResultLineReporter } from './tools/vitest-reporter.ts';

/**
 * Lets tests run on the sources of every package, so that no build can be stale. Without `module`:
 * Node loads what is outside, and does not know it.
 */
const condition = '@repertoire/source';
const conditions = [condition, 'node', 'development|production'];

/** Where the tests are that share processes, beside those of packages. */
const others = ['examples/*/test/**', 'benchmarks/test/**', 'test/repo', 'e2e', 'e2e/seeds', 'e2e/soak', 'e2e/fuzz'];

// Few projects: files of two never share a process, and each project is one more server of Vite.
const projects: TestProjectInlineConfiguration[] = [
  project('packages', ['packages/*/test/**']),
  project('repository', others),
  project('e2e/agents', ['e2e/agents', 'e2e/agents/bridges'], { globalSetup: ['e2e/agents/install.ts'] }),
  project('e2e/packages', ['e2e/packages'], { globalSetup: ['e2e/packages/prepare.ts'] }),
];

// Workers, and the programs that tests start, are new processes, which would compile the same files
// again.
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
    // Test files share processes: to start one and to import a framework takes longer than most
    // files. What a file changes in the process (a global, a variable of the environment) it
    // restores.
    isolate: false,
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
    // Projects share what is compiled, since they have one root. An ordinary user in a checkout of
    // root's has no place for it.
    fsModuleCache: isWritable(join(import.meta.dirname, 'node_modules')),
    coverage: { include: ['packages/*/src/**'] },
  },
});

interface ProjectOptions {
  /** Modules, from the root, that run once before the tests of the project. @default none */
  readonly globalSetup?: readonly string[];
}

function project(name: string, folders: readonly string[], { globalSetup = [] }: ProjectOptions = {}): TestProjectInlineConfiguration {
  const include = folders.map((folder) => `${folder}/*.test.ts`);
  return {
    extends: true,
    test: { name, include, globalSetup: globalSetup.map((path) => join(import.meta.dirname, path)) },
  };
}
