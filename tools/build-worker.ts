import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Metafile } from 'esbuild';
import { runCommand } from './run-command.ts';
import { maxStartUpMs } from './worker-guards.ts';
import { workerContents, type WorkerContents } from './worker-contents.ts';
import { repositoryRoot } from './workspace.ts';
import { wranglerEnvironment } from './wrangler-environment.ts';

/** A Worker as wrangler would upload it. */
export interface BuiltWorker extends WorkerContents {
  /** KiB of its modules, minified. */
  readonly rawKib: number;
  /** The same, gzipped. */
  readonly kib: number;
  /** Milliseconds that workerd was busy before the first request. */
  readonly startUpMs: number;
}

/** How often a Worker is started that takes too long. A busy machine makes a start longer, and nothing makes it shorter. */
const maxStarts = 3;

/**
 * Builds a folder (an absolute path) with a wrangler configuration, minified, as for a deployment, and starts what came of it in workerd.
 *
 * @throws {Error} with what wrangler wrote, where it failed
 */
export async function buildWorker(folder: string): Promise<BuiltWorker> {
  const out = await mkdtemp(join(tmpdir(), 'worker-'));
  const wrangler = async (...parameters: string[]): Promise<void> => {
    const program = join(repositoryRoot, 'e2e/node_modules/.bin/wrangler');
    const { ok, output } = await runCommand([program, ...parameters], { directory: folder, environment: wranglerEnvironment });
    if (!ok) throw new Error(`wrangler ${parameters.join(' ')} in ${folder}:\n${output}`);
  };
  try {
    const [bundle, metafile, profile] = ['worker.bundle', 'metafile.json', 'startup.cpuprofile'].map((name) => join(out, name)) as [
      string,
      string,
      string,
    ];
    await wrangler('deploy', '--dry-run', '--minify', '--outdir', out, '--outfile', bundle, '--metafile', metafile);
    const meta = JSON.parse(await readFile(metafile, 'utf8')) as Metafile;
    const modules = await Promise.all(
      Object.keys(meta.outputs)
        .filter((path) => !path.endsWith('.map'))
        .map((path) => readFile(join(folder, path))),
    );
    let startUpMs = Infinity;
    for (let start = 0; start < maxStarts && startUpMs > maxStartUpMs; start += 1) {
      await wrangler('check', 'startup', '--worker', bundle, '--outfile', profile);
      startUpMs = Math.min(startUpMs, busyMs(JSON.parse(await readFile(profile, 'utf8')) as CpuProfile));
    }
    return {
      ...workerContents(meta),
      rawKib: sum(modules.map(({ length }) => length)) / 1024,
      kib: sum(modules.map((module) => gzipSync(module, { level: 9 }).length)) / 1024,
      startUpMs,
    };
  } finally {
    await rm(out, { recursive: true });
  }
}

/** A profile of V8, as far as it is read here. */
interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string } }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

function busyMs({ nodes, samples, timeDeltas }: CpuProfile): number {
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id));
  return sum(samples.map((id, index) => (idle.has(id) ? 0 : (timeDeltas[index] ?? 0)))) / 1000;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
