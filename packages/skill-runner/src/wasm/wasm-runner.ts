import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import { compareText, type SkillRunner, type SkillRunRequest, type SkillRunResult } from '@repertoire/skills-core/provider';
import { Worker } from 'node:worker_threads';
import { checkEnvironment, checkRequest, type CheckedRequest, type RunLimits } from '../request/check-request.ts';
import { workerUrl } from '../worker-url.ts';
import type { WorkerInput, WorkerMessage } from './worker-messages.ts';

/** Options of {@link wasmRunner}. Limits of a request can only be lower than these. */
export interface WasmRunnerOptions {
  /** Name of the runner for people. @default 'quickjs' */
  readonly label?: string | undefined;
  /** Environment variables of every run. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for a run. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** Bytes of output for a run. @default 1048576 */
  readonly maxOutputBytes?: number | undefined;
  /** Bytes of standard input. @default 16777216 */
  readonly maxStdinBytes?: number | undefined;
  /** Bytes of the skill's files and the inputs together. @default 33554432 */
  readonly maxCopyBytes?: number | undefined;
  /** Bytes that a script may write to files. @default 16777216 */
  readonly maxFolderBytes?: number | undefined;
  /** Bytes of memory of the script. @default 67108864 */
  readonly maxMemoryBytes?: number | undefined;
}

type NumericOption = 'timeoutMs' | 'maxOutputBytes' | 'maxStdinBytes' | 'maxCopyBytes' | 'maxFolderBytes' | 'maxMemoryBytes';

interface Settings {
  readonly label: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: RunLimits;
  readonly maxFolderBytes: number;
  readonly maxMemoryBytes: number;
}

const extensions = ['.js', '.mjs', '.cjs'];

const knownOptions: OptionRules<WasmRunnerOptions> = {
  label: 'string',
  env: '{}',
  timeoutMs: 'number',
  maxOutputBytes: 'number',
  maxStdinBytes: 'number',
  maxCopyBytes: 'number',
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
  const whole = (name: NumericOption, fallback: number, least = 1, most = Number.MAX_SAFE_INTEGER): number =>
    numberOption(name, options[name], { of, fallback, least, most, whole: true });
  const settings: Settings = {
    label: options.label ?? 'quickjs',
    env: checkEnvironment(options.env ?? {}, of),
    limits: {
      timeoutMs: whole('timeoutMs', 30_000, 1, 2_147_483_647),
      maxOutputBytes: whole('maxOutputBytes', 1_048_576),
      maxStdinBytes: whole('maxStdinBytes', 16_777_216),
      maxCopyBytes: whole('maxCopyBytes', 33_554_432),
    },
    maxFolderBytes: whole('maxFolderBytes', 16_777_216),
    maxMemoryBytes: whole('maxMemoryBytes', 67_108_864, 1_048_576, 1_073_741_824),
  };
  return { label: settings.label, run: (request) => run(request, settings) };
}

async function run(request: SkillRunRequest, settings: Settings): Promise<SkillRunResult> {
  const checked = await checkRequest(request, settings.label, settings.limits);
  const script = scriptOf(request, settings.label);
  const began = performance.now();
  const end = await runInWorker(
    { ...settings, ...checked, script, env: { ...settings.env, ...checked.env } },
    checked,
    request.signal,
  ).catch((cause: unknown) => {
    request.signal?.throwIfAborted();
    const message = `${settings.label} could not run ${script} of skill ${JSON.stringify(request.skill.name)}: ${String(cause)}. Check that quickjs-emscripten-core and @jitl/quickjs-wasmfile-release-sync are installed.`;
    throw new SkillError('runner-failed', message, { skill: request.skill.name, path: script, cause });
  });
  return {
    ...end,
    durationMs: Math.round(performance.now() - began),
    confinement: {
      kind: 'quickjs',
      holds: ['network', 'host-reads', 'host-writes', 'environment', 'processes', 'system-calls', 'process-count', 'memory', 'file-size'],
    },
  };
}

function scriptOf({ script }: SkillRunRequest, label: string): string {
  if (script !== undefined && extensions.some((extension) => script.toLowerCase().endsWith(extension))) return script;
  const what = script ?? 'a command line';
  throw new SkillError('unsupported', `${label} does not run ${what}: it runs ${extensions.join(', ')}. Use a runner for such scripts.`, {
    path: script,
  });
}

type WorkerEnd = Omit<SkillRunResult, 'durationMs' | 'confinement'>;

async function runInWorker(input: WorkerInput, { files, timeoutMs }: CheckedRequest, signal: AbortSignal | undefined): Promise<WorkerEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerEnd>();
  const output = { stdout: '', stderr: '' };
  const worker = new Worker(workerUrl, {
    // Only these fields are cloned, because settings contain more.
    workerData: pick(input),
    // Yarn Plug'n'Play needs these options to find modules in a thread. The guest sees no
    // environment.
    env: 'pnp' in process.versions ? { NODE_OPTIONS: process.env['NODE_OPTIONS'] } : {},
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  const stop = (exitCode: number | null, endedBy: WorkerEnd['endedBy'], written: ReadonlyMap<string, Uint8Array> = new Map()): void => {
    const filesWritten = Array.from(written, ([path, bytes]) => ({ path, size: bytes.length, bytes }))
      .filter(({ path, bytes }) => !Buffer.from(bytes).equals(files.get(path) ?? new Uint8Array()) || !files.has(path))
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

function pick(input: WorkerInput): WorkerInput {
  const { script, files, stdin, env, cwd, maxMemoryBytes, maxOutputBytes, maxFolderBytes } = input;
  return { script, files, arguments: input.arguments, stdin, env, cwd, maxMemoryBytes, maxOutputBytes, maxFolderBytes };
}
