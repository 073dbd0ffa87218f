import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { repositoryRoot } from '../workspace.ts';
import type { Finding } from './finding.ts';
import { defaultMaxBytes } from './fuzz-target.ts';
import type { FuzzMessage, FuzzProgress, FuzzWork } from './fuzz-worker.ts';
import { instrument } from './instrument.ts';

/** Options of {@link runFuzz}. */
export interface RunFuzzOptions {
  readonly name: string;
  readonly minutes: number;
  readonly seed: number;
  /** Findings of earlier runs. */
  readonly known: readonly Uint8Array[];
  onProgress(progress: FuzzProgress): void;
  onFinding(finding: Finding, runs: number): void;
}

/** An input that takes longer than this by the clock never ends. */
const hangMs = 60_000;
/** Here, so that what is not bundled resolves as it does in the tests. */
const folder = join(repositoryRoot, 'e2e/node_modules/.fuzz');

/** Tries changed inputs on a target until the time is over. */
export async function runFuzz({ name, minutes, seed, known, onProgress, onFinding }: RunFuzzOptions): Promise<void> {
  const { code, branches } = await instrument(join(repositoryRoot, 'e2e/fuzz/targets', `${name}.ts`));
  await mkdir(folder, { recursive: true });
  const module = join(folder, `${name}-${process.pid}.mjs`);
  await writeFile(module, code);
  const current = new SharedArrayBuffer(8 + defaultMaxBytes * 4);
  const workerData: FuzzWork = { module, branches, seed, minutes, known, current };
  try {
    await new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('fuzz-worker.ts', import.meta.url), { workerData });
      let last = 0;
      let since = performance.now();
      const watch = setInterval(() => {
        const [runs = 0, length = 0] = new Int32Array(current, 0, 2);
        if (runs !== last) [last, since] = [runs, performance.now()];
        if (performance.now() - since < hangMs) return;
        onFinding({ kind: 'hang', what: `no end after ${hangMs / 1000} s`, input: new Uint8Array(current, 8, length).slice() }, runs);
        void worker.terminate();
      }, 5_000);
      worker.on('message', (message: FuzzMessage) => {
        if (message.type === 'finding') onFinding(message.finding, message.runs);
        else onProgress(message.progress);
        if (message.type === 'end') void worker.terminate();
      });
      worker.on('error', reject);
      worker.on('exit', () => {
        clearInterval(watch);
        resolve();
      });
    });
  } finally {
    await rm(module, { force: true });
  }
}
