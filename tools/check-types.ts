/**
 * Type-checks each package by its own `tsconfig.json` (which says whether it may know of Node), and everything else, tests among it,
 * by the one at the root.
 */
import { availableParallelism } from 'node:os';
import { runAll } from './run-all.ts';
import { runCommand } from './run-command.ts';
import { inRepository, workspacePackages } from './workspace.ts';

const projects = ['packages/*', 'examples/*', 'benchmarks', 'e2e']
  .flatMap((pattern) => workspacePackages(pattern))
  .map(({ path }) => `${path}/tsconfig.json`)
  .filter((path) => inRepository(path));

const results = await runAll(['tsconfig.json', ...projects], availableParallelism(), async (project) => ({
  project,
  ...(await runCommand(['tsc', '--project', project, '--pretty', 'false'])),
}));
for (const { project, output } of results.filter(({ ok }) => !ok)) console.log(`${project}\n${output}`);
if (results.some(({ ok }) => !ok)) process.exitCode = 1;
