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

/**
 * Runs a process in its own group, which is killed at the end. Rejects if it cannot start, and with
 * the error of `onMeasured`.
 */
export async function runProcess(run: ProcessRun): Promise<ProcessEnd> {
  const { env, startIn, owner, starter, signal } = run;
  const [command = '', ...rest] = run.argv;
  const child = spawn(command, rest, {
    cwd: startIn,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', starter === null ? 'ignore' : 'pipe'],
    ...(owner && { uid: owner.uid, gid: owner.gid }),
  }) as ChildProcessByStdio<Writable, Readable, Readable>;
  const { promise, resolve, reject } = Promise.withResolvers<ProcessEnd>();
  const [control, program] = [child.stdio[3] as Duplex, child.stdio[4] as Writable | null];
  const streams: readonly Readable[] = [child.stdout, child.stderr, control];
  const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  let room = run.maxOutputBytes;
  let endedBy: ProcessEnd['endedBy'] = 'exit';
  let [truncated, aborted, started] = [false, false, false];
  let report = '';
  /** Why the script was not started. */
  let refusal: { readonly error: unknown } | undefined;
  let silence: NodeJS.Timeout | undefined;

  function kill(): void {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has already ended.
    }
  }

  /** After the process exited, only another one can write, which left the group. */
  function stopListening(): void {
    truncated = true;
    for (const stream of streams) stream.destroy();
  }

  function end(why: ProcessEnd['endedBy'] | 'abort'): void {
    if (why === 'abort') aborted = true;
    // Only the first reason counts, and none after the process exited.
    if (child.exitCode !== null || child.signalCode !== null) stopListening();
    else if (endedBy === 'exit' && why !== 'abort') endedBy = why;
    kill();
  }

  function refuse(error: unknown): void {
    refusal = { error };
    kill();
  }

  async function startScript(): Promise<void> {
    try {
      await run.onMeasured(report, child.pid ?? 0);
      started = true;
      control.write('start\n');
    } catch (error) {
      refuse(error);
    }
  }

  // A script that does not read its input closes the pipe, as does a confinement that fails: EPIPE.
  for (const stream of [...streams, child.stdin, program]) stream?.on('error', () => {});
  child.stdin.end(run.stdin);
  program?.end(starter);
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (bytes: Buffer) => {
      if (room > 0) chunks[name].push(bytes.subarray(0, room));
      silence?.refresh();
      if (bytes.length > room) {
        truncated = true;
        end('output');
      }
      room -= Math.min(bytes.length, room);
    });
  }
  control.on('data', (bytes: Buffer) => {
    if (started || refusal !== undefined) return;
    report += bytes.toString('latin1');
    if (report.length > maxReportCharacters) refuse(new Error('It measured too much.'));
    if (report.endsWith(endOfReport)) void startScript();
  });
  child.once('exit', () => {
    kill();
    // A process that left the group may hold a pipe open forever.
    if (aborted || endedBy !== 'exit') stopListening();
    else silence = setTimeout(stopListening, silenceMs);
  });

  const timer = setTimeout(() => end('timeout'), run.timeoutMs);
  const onAbort = (): void => end('abort');
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  let isWatched = true;
  let watch: NodeJS.Timeout | undefined;
  /** Checks what limits of single files do not prevent. */
  const look = async (): Promise<void> => {
    const overfull = await run.isOverfull().catch(() => false);
    if (isWatched && overfull) end('files');
    else if (isWatched) watch = setTimeout(() => void look(), watchEveryMs);
  };
  watch = setTimeout(() => void look(), watchEveryMs);
  child.once('error', reject);
  child.once('close', (code, killedBy) => {
    if (refusal !== undefined) return reject(refusal.error);
    const exitCode = endedBy === 'exit' ? (code ?? 128 + (killedBy === null ? 0 : constants.signals[killedBy])) : null;
    // With `stream`, an incomplete character at the end is left out.
    const text = (bytes: readonly Buffer[]): string => new TextDecoder().decode(Buffer.concat(bytes), { stream: truncated });
    resolve({ exitCode, endedBy, stdout: text(chunks.stdout), stderr: text(chunks.stderr), truncated, aborted, started });
  });
  try {
    return await promise;
  } finally {
    isWatched = false;
    for (const each of [timer, watch, silence]) clearTimeout(each);
    signal?.removeEventListener('abort', onAbort);
  }
}
