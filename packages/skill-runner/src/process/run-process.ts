import type { SkillRunResult } from '@repertoire/skills-core/provider';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { RunOwner } from './run-user.ts';
import { giveStarter } from './spawn-and-wait.ts';
import { isOverfull, type WriteLimits } from './written-files.ts';

/** One process to run, with all that is around it. */
export interface ProcessRun {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly startIn: string;
  readonly owner: RunOwner | null;
  readonly stdin: Uint8Array;
  /** What the command line reads from descriptor 4. */
  readonly starter: Uint8Array | null;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** The folder whose size is limited. */
  readonly folder: string;
  readonly writeLimits: WriteLimits;
  readonly signal: AbortSignal | undefined;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly endedBy: SkillRunResult['endedBy'];
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  /** Whether the abort signal ended it. */
  readonly aborted: boolean;
  /** Whether the script started. */
  readonly started: boolean;
}

/** How long a pipe may be silent after the process ended. */
const silenceMs = 500;
const watchEveryMs = 200;

/** Runs a process in its own group, which is killed at the end. Rejects if it cannot start. */
export async function runProcess(run: ProcessRun): Promise<ProcessEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<ProcessEnd>();
  const [command = '', ...rest] = run.argv;
  const child = spawn(command, rest, {
    cwd: run.startIn,
    env: run.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', run.starter === null ? 'ignore' : 'pipe'],
    ...(run.owner && { uid: run.owner.uid, gid: run.owner.gid }),
  }) as ChildProcessByStdio<Writable, Readable, Readable>;
  let endedBy: ProcessEnd['endedBy'] = 'exit';
  let aborted = false;
  let started = false;
  let silence: NodeJS.Timeout | undefined;

  const endGroup = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has already ended.
    }
  };
  const output = new BoundedOutput(run.maxOutputBytes, () => end('output'));
  const streams = [child.stdout, child.stderr, child.stdio[3]] as readonly Readable[];
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  /** After the process exited, only another one can write, which left the group. */
  const stopListening = (): void => {
    output.truncated = true;
    for (const stream of streams) stream.destroy();
  };
  const end = (why: ProcessEnd['endedBy']): void => {
    // Only the first reason counts, and none after the process exited.
    if (hasExited()) stopListening();
    else if (endedBy === 'exit') endedBy = why;
    endGroup();
  };
  const listen = (): void => {
    if (silence === undefined) return;
    silence.refresh();
  };
  child.stdout.on('data', (bytes: Buffer) => {
    output.add('stdout', bytes);
    listen();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    output.add('stderr', bytes);
    listen();
  });
  child.stdio[3]?.on('data', () => {
    started = true;
  });
  for (const stream of streams) stream.on('error', () => {});
  // A script that does not read its input closes the pipe: EPIPE.
  child.stdin.on('error', () => {});
  child.stdin.end(run.stdin);
  giveStarter(child.stdio[4] as Writable | null, run.starter);

  const timer = setTimeout(() => end('timeout'), run.timeoutMs);
  const onAbort = (): void => {
    aborted = true;
    if (hasExited()) stopListening();
    endGroup();
  };
  if (run.signal?.aborted === true) onAbort();
  run.signal?.addEventListener('abort', onAbort, { once: true });
  const watch = watchFolder(run, () => end('files'));
  const stopWaiting = (): void => {
    clearTimeout(timer);
    clearTimeout(silence);
    watch.stop();
    run.signal?.removeEventListener('abort', onAbort);
  };

  child.once('error', (error) => {
    stopWaiting();
    reject(error);
  });
  child.once('exit', () => {
    endGroup();
    // A process that left the group may hold a pipe open forever.
    if (aborted || endedBy !== 'exit') stopListening();
    else silence = setTimeout(stopListening, silenceMs);
  });
  child.once('close', (code, signal) => {
    stopWaiting();
    const exitCode = endedBy === 'exit' ? (code ?? 128 + (signal === null ? 0 : constants.signals[signal])) : null;
    resolve({ exitCode, endedBy, ...output.texts(), truncated: output.truncated, aborted, started });
  });
  return await promise;
}

/** Checks what limits of single files do not prevent. */
function watchFolder({ folder, writeLimits }: ProcessRun, onOverfull: () => void): { stop(): void } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const overfull = await isOverfull(folder, writeLimits).catch(() => false);
    if (stopped) return;
    if (overfull) onOverfull();
    else plan();
  };
  const plan = (): void => {
    timer = setTimeout(() => void look(), watchEveryMs);
  };
  plan();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

class BoundedOutput {
  truncated = false;
  readonly #chunks: { readonly stdout: Buffer[]; readonly stderr: Buffer[] } = { stdout: [], stderr: [] };
  readonly #onFull: () => void;
  #room: number;

  constructor(maxBytes: number, onFull: () => void) {
    this.#room = maxBytes;
    this.#onFull = onFull;
  }

  add(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    const kept = bytes.subarray(0, this.#room);
    this.#room -= kept.length;
    if (kept.length > 0) this.#chunks[stream].push(kept);
    if (kept.length === bytes.length) return;
    this.truncated = true;
    this.#onFull();
  }

  texts(): { readonly stdout: string; readonly stderr: string } {
    // With `stream`, an incomplete character at the end is left out.
    const decode = (chunks: readonly Buffer[]): string => new TextDecoder().decode(Buffer.concat(chunks), { stream: this.truncated });
    return { stdout: decode(this.#chunks.stdout), stderr: decode(this.#chunks.stderr) };
  }
}
