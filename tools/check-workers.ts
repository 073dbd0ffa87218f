/**
 * `node tools/check-workers.ts`: builds each Worker of `examples/` as wrangler does and each of `e2e/workers` as its tests do, and compares contents, weight and
 * start with what they may be.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildWorker } from './build-worker.ts';
import { bundleForWorkers } from './bundle-for-workers.ts';
import { maxStartUpMs, neverInWorkers, testWorkerRules, withoutNodeFlags, workerGuards } from './worker-guards.ts';
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

for (const file of globSync('e2e/workers/*-worker.ts', { cwd: repositoryRoot }).toSorted()) {
  const bundle = await bundleForWorkers(`export { default } from '../${file}';`, { conditions: ['@repertoire/source'] });
  const kib = gzipSync(bundle.code, { level: 9 }).length / 1024;
  tell(file, sizes(kib, bundle.code.length / 1024, testWorkerRules.maxKib), workerProblems(bundle, kib, testWorkerRules));
}

function sizes(kib: number, rawKib: number, maxKib: number): string {
  return `${kib.toFixed(1)} of ${maxKib} KiB (${rawKib.toFixed(0)} not gzipped)`;
}

function tell(name: string, what: string, problems: readonly string[]): void {
  console.log(`${name}: ${what}`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
