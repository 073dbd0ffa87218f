/** `node tools/check-size.ts`: bundles each entry of the table for Workers, and compares weight and contents with what it may be. */
import { gzipSync } from 'node:zlib';
import { bundleForWorkers } from './bundle-for-workers.ts';
import { sizeCeilings, type SizeCeiling } from './size-ceilings.ts';

for (const ceiling of sizeCeilings) {
  const { kib, rawKib, problems } = await measure(ceiling);
  console.log(`${ceiling.name}: ${kib.toFixed(1)} of ${ceiling.maxKib} KiB (${rawKib.toFixed(0)} not gzipped)`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

async function measure({ code, maxKib, absent, peers = [] }: SizeCeiling): Promise<{ kib: number; rawKib: number; problems: string[] }> {
  const bundle = await bundleForWorkers(code, { external: peers });
  const kib = gzipSync(bundle.code, { level: 9 }).length / 1024;
  const found = absent.filter((name) => bundle.packages.includes(name) || bundle.imports.some((path) => isOf(path, name)));
  return {
    kib,
    rawKib: bundle.code.length / 1024,
    problems: [
      ...(kib > maxKib
        ? [`It weighs ${kib.toFixed(1)} KiB gzipped. Make it smaller, or raise the ceiling in tools/size-ceilings.ts and say why.`]
        : []),
      ...found.map(
        (name) =>
          `It holds ${name}, which must not be in it: packages ${bundle.packages.join(', ')}; imports ${bundle.imports.join(', ') || 'none'}.`,
      ),
    ],
  };
}

function isOf(path: string, name: string): boolean {
  return path === name || path.startsWith(name.endsWith(':') ? name : `${name}/`);
}
