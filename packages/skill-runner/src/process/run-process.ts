import type { SkillRunResult } from '@repertoire/skills-core/provider';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { constants } from 'node:os';
import type { Duplex, Readable, Writable } from 'node:stream';
import type { RunOwner } from './run-user.ts';

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
  readonly signal: AbortSignal | undefined;
  /** Judges what the first process measured of itself. The script starts when this resolves. */
  readonly onMeasured: (report: string, pid: number) => Promise<void>;
  /** Whether the script wrote more than it may. It is asked again and again. */
  readonly isOverfull: () => Promise<boolean>;
}

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
/** Longer than any list of mounts. */
const maxReportCharacters = 4_000_000;
const endOfReport = '\nmeasured\n';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Runs a process in its own group, which is killed at the end. Rejects if it cannot start, and with
 * the error of `onMeasured`.
 */
export async function runProcess(run: ProcessRun): Promise<ProcessEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<ProcessEnd>();
  const child = start(run);
  const group = new ProcessGroup(child, run);
  // A script that does not read its input closes the pipe: EPIPE.
  child.stdin.on('error', () => {});
  child.stdin.end(run.stdin);
  // A failing confinement closes the pipe.
  const program = child.stdio[4] as Writable | null;
  program?.on('error', () => {});
  program?.end(run.starter);

  const timer = setTimeout(() => group.end('timeout'), run.timeoutMs);
  const onAbort = (): void => group.abort();
  if (run.signal?.aborted === true) onAbort();
  run.signal?.addEventListener('abort', onAbort, { once: true });
  const watch = watchFiles(run, () => group.end('files'));
  const stopWaiting = (): void => {
    clearTimeout(timer);
    watch.stop();
    run.signal?.removeEventListener('abort', onAbort);
  };
  child.once('error', (error) => {
    stopWaiting();
    reject(error);
  });
  child.once('close', (code, signal) => {
    stopWaiting();
    if (group.refusal === undefined) resolve(group.result(code, signal));
    else reject(group.refusal.error);
  });
  return await promise;
}

function start({ argv, env, startIn, owner, starter }: ProcessRun): Child {
  const [command = '', ...rest] = argv;
  return spawn(command, rest, {
    cwd: startIn,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', starter === null ? 'ignore' : 'pipe'],
    ...(owner && { uid: owner.uid, gid: owner.gid }),
  }) as Child;
}

/** The group of a process: what it writes, and why it was ended. */
class ProcessGroup {
  readonly #child: Child;
  readonly #streams: readonly Readable[];
  readonly #output: BoundedOutput;
  /** Why the script was not started. */
  refusal: { readonly error: unknown } | undefined;
  #endedBy: ProcessEnd['endedBy'] = 'exit';
  #aborted = false;
  #started = false;
  #report = '';
  #silence: NodeJS.Timeout | undefined;

  constructor(child: Child, { maxOutputBytes, onMeasured }: ProcessRun) {
    this.#child = child;
    this.#output = new BoundedOutput(maxOutputBytes, () => this.end('output'));
    const control = child.stdio[3] as Duplex;
    this.#streams = [child.stdout, child.stderr, control];
    for (const stream of this.#streams) stream.on('error', () => {});
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (bytes: Buffer) => {
        this.#output.add(name, bytes);
        this.#silence?.refresh();
      });
    }
    control.on('data', (bytes: Buffer) => {
      if (this.#started || this.refusal !== undefined) return;
      this.#report += bytes.toString('latin1');
      if (this.#report.length > maxReportCharacters) this.#refuse(new Error('It measured too much.'));
      if (this.#report.endsWith(endOfReport)) void this.#startScript(onMeasured, control);
    });
    child.once('exit', () => {
      this.#kill();
      // A process that left the group may hold a pipe open forever.
      if (this.#aborted || this.#endedBy !== 'exit') this.#stopListening();
      else this.#silence = setTimeout(() => this.#stopListening(), silenceMs);
    });
  }

  end(why: ProcessEnd['endedBy']): void {
    // Only the first reason counts, and none after the process exited.
    if (this.#hasExited) this.#stopListening();
    else if (this.#endedBy === 'exit') this.#endedBy = why;
    this.#kill();
  }

  abort(): void {
    this.#aborted = true;
    if (this.#hasExited) this.#stopListening();
    this.#kill();
  }

  /** How it ended, after its pipes are closed. */
  result(code: number | null, signal: NodeJS.Signals | null): ProcessEnd {
    clearTimeout(this.#silence);
    const endedBy = this.#endedBy;
    const exitCode = endedBy === 'exit' ? (code ?? 128 + (signal === null ? 0 : constants.signals[signal])) : null;
    const { truncated } = this.#output;
    return { exitCode, endedBy, ...this.#output.texts(), truncated, aborted: this.#aborted, started: this.#started };
  }

  async #startScript(onMeasured: ProcessRun['onMeasured'], control: Duplex): Promise<void> {
    try {
      await onMeasured(this.#report, this.#child.pid ?? 0);
      this.#started = true;
      control.write('start\n');
    } catch (error) {
      this.#refuse(error);
    }
  }

  #refuse(error: unknown): void {
    this.refusal = { error };
    this.#kill();
  }

  get #hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #kill(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // The group has already ended.
    }
  }

  /** After the process exited, only another one can write, which left the group. */
  #stopListening(): void {
    this.#output.truncated = true;
    for (const stream of this.#streams) stream.destroy();
  }
}

/** Checks what limits of single files do not prevent. */
function watchFiles({ isOverfull }: ProcessRun, onOverfull: () => void): { stop(): void } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const overfull = await isOverfull().catch(() => false);
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
