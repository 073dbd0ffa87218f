/**
 * Runs one script in its own QuickJS. A module and a runtime serve only one run, because disposing
 * of a runtime after it ran out of memory may abort the whole module. The other side enforces the
 * time limit by ending the thread: QuickJS checks its clock every ten thousand steps, and one step
 * can allocate megabytes.
 *
 * @module
 */
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, type QuickJSContext, type QuickJSHandle, type QuickJSSyncVariant } from 'quickjs-emscripten-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { GuestError, GuestFiles, joinPaths } from './guest-files.ts';
import { guestModules, guestPrelude } from './guest-prelude.ts';
import type { WorkerInput, WorkerMessage } from './worker-messages.ts';

const maxStackBytes = 256 * 1024;

const input = workerData as WorkerInput;
const cwd = joinPaths(['/skill', input.cwd]);
const files = new GuestFiles(input.files, cwd, input.maxFolderBytes);
let room = input.maxOutputBytes;
let full = false;
let exitCode: number | null = null;

const post = (message: WorkerMessage): void => parentPort?.postMessage(message, []);

const calls: Readonly<Record<string, (...given: never[]) => unknown>> = {
  start: () => ({ script: `/skill/${input.script}`, arguments: input.arguments, env: input.env, cwd }),
  write: (stream: 'stdout' | 'stderr', text: string) => write(stream, text),
  read: (path: string | 0) => (path === 0 || path === '/dev/stdin' ? new TextDecoder().decode(input.stdin) : files.read(path)),
  put: (path: string, text: string, append: boolean) => files.put(path, text, append),
  exists: (path: string) => files.exists(path),
  list: (path: string) => files.list(path),
  join: (parts: readonly string[]) => joinPaths(parts),
  exit: (code: number) => {
    exitCode = code & 0xff;
  },
};

function write(stream: 'stdout' | 'stderr', text: string): void {
  const length = new TextEncoder().encode(text).length;
  const kept = length <= room ? text : new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, room), { stream: true });
  if (kept !== '') post({ kind: 'output', stream, text: kept });
  full ||= length > room;
  room -= Math.min(length, room);
  if (full) throw new GuestError('EPIPE', 'EPIPE: the script may not write more output');
}

// Its types are those of CommonJS, in which the default export is a property.
const quickjs = await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);
const runtime = quickjs.newRuntime();
runtime.setMemoryLimit(input.maxMemoryBytes);
runtime.setMaxStackSize(maxStackBytes);
// When the script must end, it does not continue, even if it catches errors.
runtime.setInterruptHandler(() => full || files.overfull || exitCode !== null);
runtime.setModuleLoader(loadModule, (base, requested) => resolveModule(base, requested));
const context = runtime.newContext();
post({ kind: 'started' });
const code = await execute(context);
// Nothing is disposed of, because the thread ends here.
post({ kind: 'end', exitCode: code, full, overfull: files.overfull, written: files.written });

async function execute(guest: QuickJSContext): Promise<number> {
  const host = guest.newFunction('__host', (name, given) => guest.newString(answer(guest.getString(name), guest.getString(given))));
  guest.setProp(guest.global, '__host', host);
  const runTimer = guest.unwrapResult(guest.evalCode(guestPrelude, 'prelude.js'));
  const evaluated = guest.evalCode(sourceOf(input.script), `/skill/${input.script}`, { type: 'module' });
  if (evaluated.error !== undefined) return fail(guest, evaluated.error);
  for (;;) {
    const jobs = runtime.executePendingJobs();
    if (jobs.error !== undefined) return fail(guest, jobs.error);
    const state = guest.getPromiseState(evaluated.value);
    if (state.type === 'rejected') return fail(guest, state.error);
    if (exitCode !== null) return exitCode;
    const timer = guest.callFunction(runTimer, guest.undefined);
    if (timer.error !== undefined) return fail(guest, timer.error);
    const waitMs = guest.getNumber(timer.value);
    if (waitMs > 0) await sleep(waitMs);
    if (waitMs >= 0) continue;
    // As in Node.js: a script that waits for something that never happens exits with 13.
    if (state.type === 'pending') return 13;
    return Number(guest.dump(guest.unwrapResult(guest.evalCode('Number(process.exitCode ?? 0)')))) & 0xff;
  }
}

function fail(guest: QuickJSContext, error: QuickJSHandle): number {
  if (exitCode !== null) return exitCode;
  if (full || files.overfull) return 1;
  const thrown: unknown = guest.dump(error);
  const text =
    typeof thrown === 'object' && thrown !== null && 'message' in thrown
      ? `${'name' in thrown ? String(thrown.name) : 'Error'}: ${String(thrown.message)}${'stack' in thrown ? `\n${String(thrown.stack)}` : ''}`
      : `Uncaught ${JSON.stringify(thrown)}`;
  try {
    write('stderr', `${text.trimEnd()}\n`);
  } catch {
    // There is no memory left for it.
  }
  return 1;
}

function answer(name: string, given: string): string {
  try {
    const work = calls[name] as ((...values: unknown[]) => unknown) | undefined;
    if (!Object.hasOwn(calls, name) || work === undefined) throw new GuestError('ENOSYS', `ENOSYS: ${name}`);
    return JSON.stringify([true, work(...(JSON.parse(given) as unknown[])) ?? null]);
  } catch (error) {
    if (error instanceof GuestError) return JSON.stringify([false, { message: error.message, code: error.code }]);
    return JSON.stringify([false, { message: 'The call failed.', code: 'EINVAL' }]);
  }
}

/** CommonJS is distinguished from modules by extension, or by what it calls. */
function sourceOf(script: string): string {
  const text = files
    .read(`/skill/${script}`)
    .replace(/^\uFEFF/, '')
    .replace(/^#![^\n]*/, '');
  const isModule = script.endsWith('.mjs') || /^[ \t]*(?:import|export)[\s{*'"]/m.test(text);
  if (isModule && !script.endsWith('.cjs')) return text;
  return commonJs(text, script);
}

function commonJs(text: string, script: string): string {
  const names = JSON.stringify(Object.keys(guestModules));
  return `const __dirname = ${JSON.stringify(joinPaths(['/skill', script, '..']))}, __filename = ${JSON.stringify(`/skill/${script}`)};
const module = { exports: {} };
const require = (name) => {
  const own = name.replace(/^node:/, '');
  if (${names}.includes(own)) return globalThis.__modules[own];
  throw Object.assign(new Error("Cannot find module '" + name + "': require finds " + ${names}.join(', ')), { code: 'MODULE_NOT_FOUND' });
};
(function (exports) {${text}
}).call(module.exports, module.exports);
export default module.exports;`;
}

function resolveModule(base: string, requested: string): string {
  if (/^\.{1,2}\//.test(requested)) return joinPaths([base, '..', requested]);
  return requested;
}

function loadModule(name: string): string {
  const own = name.replace(/^node:/, '');
  const exported = Object.hasOwn(guestModules, own) ? guestModules[own] : undefined;
  if (exported !== undefined) {
    const lines = exported.map((key) => `export const ${key} = own.${key};`);
    return [`const own = globalThis.__modules[${JSON.stringify(own)}]; export default own;`, ...lines].join('\n');
  }
  if (!name.startsWith('/skill/'))
    throw new Error(
      `Cannot find package ${JSON.stringify(name)}: scripts import files of their skill, and ${Object.keys(guestModules).join(', ')}`,
    );
  return name.endsWith('.json') ? `export default ${files.read(name)}` : sourceOf(name.slice('/skill/'.length));
}
