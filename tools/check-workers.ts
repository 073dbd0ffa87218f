/**
 * `node tools/check-workers.ts`: builds each Worker of `examples/` as wrangler does, and compares contents, weight and start with what they may be. Those of
 * `e2e/workers` are looked at by their tests, which bundle them anyway.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildWorker } from './build-worker.ts';
import { maxStartUpMs, neverInWorkers, withoutNodeFlags, workerGuards } from './worker-guards.ts';
import { workerProblems } from './worker-problems.ts';
import { repositoryRoot } from './workspace.ts';

for (const configuration of globSync('examples/*/wrangler.jsonc', { cwd: repositoryRoot }).toSorted()) {
  const folder = dirname(configuration);
  const guard = workerGuards.find((candidate) => candidate.folder === folder);
  if (guard === undefined) {
    tell(folder, '', [`It has no row in tools/worker-guards.ts.`]);
    continue;
  }
  const worker = await buildWorker(join(repositoryRoot, folder));
  const flags = readFileSync(join(repositoryRoot, configuration), 'utf8');
  tell(folder, `${sizes(worker.kib, worker.rawKib, guard.maxKib)}; starts in ${worker.startUpMs.toFixed(0)} of ${maxStartUpMs} ms`, [
    ...withoutNodeFlags
      .filter((flag) => !flags.includes(`"${flag}"`))
      .map((flag) => `Its compatibility_flags lack ${flag}, so that Node's modules are there.`),
    ...workerProblems(worker, worker.kib, { ...guard, absent: [...neverInWorkers, ...guard.absent] }),
    ...(worker.startUpMs > maxStartUpMs ? [`It takes ${worker.startUpMs.toFixed(0)} ms to start. Do less at the top of its modules.`] : []),
  ]);
}

function sizes(kib: number, rawKib: number, maxKib: number): string {
  return `${kib.toFixed(1)} of ${maxKib} KiB (${rawKib.toFixed(0)} not gzipped)`;
}

function tell(name: string, what: string, problems: readonly string[]): void {
  console.log(`${name}: ${what}`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
