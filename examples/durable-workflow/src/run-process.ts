import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { WorkflowProgress } from '@repertoire/skill-workflow';

/** What one process did. */
export interface ProcessRun {
  /** Calls that it ran, in order. */
  readonly ran: readonly string[];
  /** Calls whose results were already recorded. */
  readonly recorded: readonly string[];
  /** Result of the workflow, if it finished. */
  readonly output: unknown;
  readonly killed: boolean;
}

type Message = { readonly ran: string } | { readonly progress: WorkflowProgress } | { readonly output: unknown };

/** Runs the worker until it exits, or until it begins the call at which it is killed. */
export async function runProcess(
  folder: string,
  killAt: string | undefined,
  onProgress: (progress: WorkflowProgress) => void,
): Promise<ProcessRun> {
  const child = fork(join(import.meta.dirname, 'worker.ts'), {
    execArgv: [...process.execArgv, '--disable-warning=DeprecationWarning'],
    env: { ...process.env, FOLDER: folder, ...(killAt !== undefined && { STALL: killAt }) },
  });
  const ran: string[] = [];
  const recorded: string[] = [];
  let output: unknown;
  child.on('message', (message: Message) => {
    if ('output' in message) output = message.output;
    else if ('ran' in message) {
      ran.push(message.ran);
      if (message.ran === killAt) child.kill('SIGKILL');
    } else {
      onProgress(message.progress);
      const call = recordedCall(message.progress);
      if (call !== undefined) recorded.push(call);
    }
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`The worker ended with ${code ?? signal}.`);
  return { ran, recorded, output, killed: signal === 'SIGKILL' };
}

function recordedCall(progress: WorkflowProgress): string | undefined {
  if (progress.type === 'branch_finished' && progress.replayed) return `${progress.step}/${progress.branch}`;
  return progress.type === 'step_finished' && progress.replayed ? progress.step : undefined;
}
