import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const wrangler = join(repositoryRoot, 'e2e/node_modules/.bin/wrangler');

/** How often a Worker is started that takes too long. A busy machine makes a start longer, and nothing makes it shorter. */
const maxStarts = 3;

/**
 * Builds a folder (an absolute path) with a wrangler configuration, minified, as for a deployment, and starts what came of it in workerd.
 *
 * @throws {Error} with what wrangler wrote, where it failed
 */
export async function buildWorker(folder: string): Promise<BuiltWorker> {
  const out = await mkdtemp(join(tmpdir(), 'worker-'));
  const metafile = join(out, 'metafile.json');
  // Builds and starts in one process, since wrangler takes longer to load than both.
  const parameters = ['check', 'startup', `--args=--minify --metafile=${metafile}`, `--outfile=${join(out, 'startup.cpuprofile')}`];
  try {
    let sizes = { rawKib: 0, kib: 0 };
    let startUpMs = Infinity;
    for (let start = 0; start < maxStarts && startUpMs > maxStartUpMs; start += 1) {
      const { ok, output } = await runCommand([wrangler, ...parameters], { directory: folder, environment: wranglerEnvironment });
      const told = /Bundle: (?<rawKib>[\d.]+) KiB \/ gzip: (?<kib>[\d.]+) KiB[^]*Active: (?<active>[\d.]+) ms/.exec(output)?.groups;
      if (!ok || told === undefined) throw new Error(`wrangler ${parameters.join(' ')} in ${folder}:\n${output}`);
      sizes = { rawKib: Number(told['rawKib']), kib: Number(told['kib']) };
      startUpMs = Math.min(startUpMs, Number(told['active']));
    }
    return { ...workerContents(JSON.parse(await readFile(metafile, 'utf8')) as Metafile), ...sizes, startUpMs };
  } finally {
    await rm(out, { recursive: true });
  }
}
