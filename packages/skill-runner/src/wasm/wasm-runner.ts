import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, compareText, type OptionRules, type SkillConfinementAspect } from '@repertoire/skills-core/internal';
import type { SkillRunner, SkillRunResult } from '@repertoire/skills-core/provider';
import { Worker } from 'node:worker_threads';
import { checkRequest } from '../request/check-request.ts';
import { runnerRules, runnerSettings, wholeOption, type RunnerOptions } from '../request/runner-options.ts';
import { workerUrl } from '../worker-url.ts';
import type { WorkerInput, WorkerMessage } from './worker-messages.ts';

/** Options of {@link wasmRunner}. */
export interface WasmRunnerOptions extends RunnerOptions {
  /** Bytes that a script may write to files. @default 16777216 */
  readonly maxFolderBytes?: number | undefined;
  /** Bytes of memory of the script. @default 67108864 */
  readonly maxMemoryBytes?: number | undefined;
}

const extensions = ['.js', '.mjs', '.cjs'];

const holds: readonly SkillConfinementAspect[] = [
  'network',
  'host-reads',
  'host-writes',
  'environment',
  'processes',
  'system-calls',
  'process-count',
  'memory',
  'file-size',
  'disk',
];

const knownOptions: OptionRules<WasmRunnerOptions> = {
  ...runnerRules,
  maxFolderBytes: 'number',
  maxMemoryBytes: 'number',
};

/**
 * Runs JavaScript in QuickJS, compiled to WebAssembly, in a separate thread that is ended after the
 * time limit. A script can use the files of its skill, arguments, standard input, and small parts
 * of `node:fs`, `node:path`, `node:process` and `node:url`; no network, no packages, no processes.
 * It needs Node.js and the packages `quickjs-emscripten-core` and
 * `@jitl/quickjs-wasmfile-release-sync`.
 *
 * @throws {SkillError} `invalid-options`
 * @example
 * ```ts
 * import { wasmRunner } from '@repertoire/skill-runner/wasm';
 * import type { SkillRunner } from '@repertoire/skills-core/provider';
 *
 * export const runner: SkillRunner = wasmRunner({ timeoutMs: 5_000, maxMemoryBytes: 32 * 1024 * 1024 });
 * ```
 */
export function wasmRunner(options: WasmRunnerOptions = {}): SkillRunner {
  assertKnownOptions('wasmRunner', options, knownOptions);
  const of = 'wasmRunner';
  const { label, env, limits } = runnerSettings(of, options, { label: 'quickjs', maxCopyBytes: 33_554_432 });
  const maxFolderBytes = wholeOption(of, options, 'maxFolderBytes', 16_777_216);
  const maxMemoryBytes = wholeOption(of, options, 'maxMemoryBytes', 67_108_864, { least: 1_048_576, most: 1_073_741_824 });
  return {
    label,
    async run(request) {
      const { script } = request;
      const { project: _project, timeoutMs, ...checked } = await checkRequest(request, label, limits);
      if (script === undefined || !extensions.some((extension) => script.toLowerCase().endsWith(extension))) {
        const message = `${label} does not run ${script ?? 'a command line'}: it runs ${extensions.join(', ')}. Use a runner for such scripts.`;
        throw new SkillError('unsupported', message, { path: script });
      }
      const began = performance.now();
      const input = { ...checked, script, env: { ...env, ...checked.env }, maxFolderBytes, maxMemoryBytes };
      const end = await runInWorker(input, timeoutMs, request.signal).catch((cause: unknown) => {
        request.signal?.throwIfAborted();
        const skill = request.skill.name;
        const message = `${label} could not run ${script} of skill ${JSON.stringify(skill)}: ${String(cause)}. Check that quickjs-emscripten-core and @jitl/quickjs-wasmfile-release-sync are installed.`;
        throw new SkillError('runner-failed', message, { skill, path: script, cause });
      });
      return { ...end, durationMs: Math.round(performance.now() - began), confinement: { kind: 'quickjs', holds } };
    },
  };
}

type WorkerEnd = Omit<SkillRunResult, 'durationMs' | 'confinement'>;

async function runInWorker(input: WorkerInput, timeoutMs: number, signal: AbortSignal | undefined): Promise<WorkerEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerEnd>();
  const output = { stdout: '', stderr: '' };
  const worker = new Worker(workerUrl, {
    workerData: input,
    // Yarn Plug'n'Play needs these options to find modules in a thread. The guest sees no
    // environment.
    env: 'pnp' in process.versions ? { NODE_OPTIONS: process.env['NODE_OPTIONS'] } : {},
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  const stop = (exitCode: number | null, endedBy: WorkerEnd['endedBy'], written: ReadonlyMap<string, Uint8Array> = new Map()): void => {
    const filesWritten = Array.from(written, ([path, bytes]) => ({ path, size: bytes.length, bytes }))
      .filter(({ path, bytes }) => !Buffer.from(bytes).equals(input.files.get(path) ?? new Uint8Array()) || !input.files.has(path))
      .sort((a, b) => compareText(a.path, b.path));
    resolve({ exitCode, endedBy, ...output, truncated: endedBy === 'output', filesWritten });
  };
  // Starting takes our own time, not the script's.
  let timer = setTimeout(() => reject(new Error('the worker did not start')), startTimeoutMs);
  const onAbort = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'output') output[message.stream] += message.text;
    else if (message.kind === 'started') {
      clearTimeout(timer);
      timer = setTimeout(() => stop(null, 'timeout'), timeoutMs);
    } else if (message.full) stop(null, 'output', message.written);
    else if (message.overfull) stop(null, 'files', message.written);
    else stop(message.exitCode, 'exit', message.written);
  });
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

const startTimeoutMs = 30_000;
