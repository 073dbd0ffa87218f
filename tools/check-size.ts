/** `node tools/check-size.ts`: bundles each entry of the table for Workers, and compares weight and contents with what it may be. */
import { gzipSync } from 'node:zlib';
import { bundleForWorkers } from './bundle-for-workers.ts';
import { sizeCeilings, type SizeCeiling } from './size-ceilings.ts';
import { workerProblems } from './worker-problems.ts';

for (const ceiling of sizeCeilings) {
  const { kib, rawKib, problems } = await measure(ceiling);
  console.log(`${ceiling.name}: ${kib.toFixed(1)} of ${ceiling.maxKib} KiB (${rawKib.toFixed(0)} not gzipped)`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

async function measure({ code, peers = [], ...rules }: SizeCeiling): Promise<{ kib: number; rawKib: number; problems: string[] }> {
  const bundle = await bundleForWorkers(code, { external: peers });
  const kib = gzipSync(bundle.code, { level: 9 }).length / 1024;
  return { kib, rawKib: bundle.code.length / 1024, problems: workerProblems(bundle, kib, rules) };
}
