/**
 * `pnpm fuzz --minutes N [--target NAME,…] [--seed N]`: hands changed inputs to whatever reads bytes of strangers, guided by the branches that they reach. What crashes
 * a target, or costs more CPU than its length allows, is kept below `e2e/fuzz/findings/NAME`, where a test tries it again. Ends with exit code 1 if there was any.
 *
 * `pnpm fuzz --properties 1`: runs the property tests with all of their cases, of which `pnpm test` tries a part; 10 is ten times as many.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import colors from 'picocolors';
import { findingName } from './fuzz/finding.ts';
import type { FuzzProgress } from './fuzz/fuzz-worker.ts';
import { runFuzz } from './fuzz/run-fuzz.ts';
import { runCommand } from './run-command.ts';
import { repositoryRoot } from './workspace.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    target: { type: 'string' },
    seed: { type: 'string', default: '1' },
    properties: { type: 'string' },
  },
});
const names = globSync('e2e/fuzz/targets/*.ts', { cwd: repositoryRoot })
  .map((file) => basename(file, '.ts'))
  .toSorted();
const chosen = values.target?.split(',') ?? names;
const unknown = chosen.filter((name) => !names.includes(name));
const minutes = Number(values.minutes);
const seed = Number(values.seed);

if (values.properties !== undefined) {
  // By the name of what asks how many cases there are, here or in a helper.
  const asks = /propertyRuns|isTried|isEveryToolTried|placedLoops|testBridge|testGateProperties/;
  const files = globSync(['packages/*/test/**/*.test.ts', 'e2e/{,packages/,agents/bridges/}*.test.ts'], { cwd: repositoryRoot }).filter(
    (file) => asks.test(readFileSync(join(repositoryRoot, file), 'utf8')),
  );
  const environment = { PROPERTY_RUNS: values.properties };
  const { ok } = await runCommand(['vitest', 'run', ...files], { inherit: true, environment });
  process.exitCode = ok ? 0 : 1;
} else if (unknown.length > 0 || !(minutes >= 0) || !Number.isSafeInteger(seed)) {
  console.error(`Call: pnpm fuzz --minutes N [--target NAME,…] [--seed N], with the targets ${names.join(', ')}; or --properties N.`);
  process.exitCode = 2;
} else {
  for (const name of chosen) await fuzz(name);
}

async function fuzz(name: string): Promise<void> {
  const folder = join(repositoryRoot, 'e2e/fuzz/findings', name);
  const known = globSync('*', { cwd: folder })
    .toSorted()
    .map((file) => new Uint8Array(readFileSync(join(folder, file))));
  console.log(colors.bold(`${name}: ${minutes} min, seed ${seed}, ${known.length} earlier findings`));
  let found = 0;
  await runFuzz({
    name,
    minutes,
    seed,
    known,
    onProgress: (progress) => console.log(colors.dim(`${name}  ${progressLine(progress)}; ${found} findings`)),
    onFinding(finding, runs) {
      found += 1;
      process.exitCode = 1;
      mkdirSync(folder, { recursive: true });
      const file = join(folder, findingName(finding));
      writeFileSync(file, finding.input);
      console.log(
        colors.red(`${name}  ${finding.kind} at run ${runs} of seed ${seed}: ${finding.what}\n  ${finding.input.length} bytes in ${file}`),
      );
    },
  });
}

function progressLine({ runs, seconds, reached, branches, corpus, slowestMs, slowestBytes }: FuzzProgress): string {
  const numbers = [runs, reached, branches, corpus].map((number) => number.toLocaleString('en-US'));
  return `${seconds.toFixed(0)} s: ${numbers[0]} runs (${(runs / seconds).toFixed(0)}/s), ${numbers[1]} of ${numbers[2]} branches, corpus ${numbers[3]}, slowest ${slowestMs.toFixed(0)} ms of CPU for ${slowestBytes} bytes`;
}
