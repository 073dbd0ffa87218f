import { gzipSync } from 'node:zlib';
import { bundleForWorkers } from '../tools/bundle-for-workers.ts';
import { testWorkerRules } from '../tools/worker-guards.ts';
import { workerProblems } from '../tools/worker-problems.ts';

/**
 * Bundles a module of this folder, such as `export { default } from './workers/core-worker.ts';`, from the sources, as a Worker without `nodejs_compat` would get it.
 *
 * @throws {Error} where it imports anything, weighs more than a Worker of ours may, or holds what none may hold
 */
export async function bundleTestWorker(module: string): Promise<string> {
  const bundle = await bundleForWorkers(module, { conditions: ['@repertoire/source'] });
  const kib = gzipSync(bundle.code, { level: 9 }).length / 1024;
  const problems = [...bundle.imports.map((path) => `It imports ${path}.`), ...workerProblems(bundle, kib, testWorkerRules)];
  if (problems.length > 0) throw new Error(`${module}\n${problems.join('\n')}`);
  return bundle.code;
}
