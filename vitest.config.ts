import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { ResultLineReporter } from './tools/vitest-reporter.ts';

/** Lets tests run on the sources of every package, so that no build can be stale. Without `module`: Node loads what is outside, and does not know it. */
const condition = '@repertoire/source';
const conditions = [condition, 'node', 'development|production'];

const projects: TestProjectInlineConfiguration[] = [
  ...globSync(['packages/*', 'examples/*', 'benchmarks'], { cwd: import.meta.dirname })
    .filter((folder) => existsSync(join(import.meta.dirname, folder, 'test')))
    .toSorted()
    .map((folder) => project(basename(folder), folder, 'test/**/*.test.ts')),
  project('repo', 'test/repo', '*.test.ts'),
  project('e2e', 'e2e', '*.test.ts'),
];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    projects,
    execArgv: [`--conditions=${condition}`],
    reporters: [['default', { summary: false }], new ResultLineReporter()],
    passWithNoTests: false,
    coverage: { include: ['packages/*/src/**'] },
  },
});

function project(name: string, root: string, pattern: string): TestProjectInlineConfiguration {
  return { extends: true, root: join(import.meta.dirname, root), test: { name, include: [pattern] } };
}
