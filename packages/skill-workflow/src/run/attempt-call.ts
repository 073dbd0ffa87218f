import { SkillError } from '@repertoire/skills-core';
import { abortable } from '@repertoire/skills-core/provider';
import { longestTimerMs, type CompleteStepPolicy } from './step-policy.ts';
import type { WorkflowCallContext } from './workflow-tool-function.ts';

const finalCodes: ReadonlySet<string> = new Set(['invalid-input', 'permission-denied', 'limit-exceeded', 'not-loaded']);

/** Runs a call until it succeeds, as often as its policy allows. An abort ends it at once. */
export async function attemptCall<Value>(
  work: (context: WorkflowCallContext) => Promise<Value>,
  context: Omit<WorkflowCallContext, 'attempt'>,
  { attempts, retryDelayMs, timeoutMs }: CompleteStepPolicy,
  onRetry: (attempt: number, error: unknown) => void,
): Promise<Value> {
  const { signal } = context;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTimeout((limited) => work({ ...context, attempt, signal: limited }), timeoutMs, signal);
    } catch (error) {
      if (signal?.aborted === true || attempt >= attempts || (SkillError.isInstance(error) && finalCodes.has(error.code))) throw error;
      onRetry(attempt, error);
      await pause(Math.min(retryDelayMs * 2 ** (attempt - 1), longestTimerMs), signal);
    }
  }
}

async function withTimeout<Value>(
  work: (signal: AbortSignal | undefined) => Promise<Value>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (timeoutMs === Number.POSITIVE_INFINITY) return await abortable(async () => await work(signal), signal);
  // Not AbortSignal.any and AbortSignal.timeout: sandboxes of workflow engines do not have them.
  const controller = new AbortController();
  const forward = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) forward();
  signal?.addEventListener('abort', forward, { once: true });
  const timer = setTimeout(
    () => controller.abort(new SkillError('timeout', `No answer within ${timeoutMs} ms. Raise policy.timeoutMs, or make the tool faster.`)),
    timeoutMs,
  );
  try {
    return await abortable(async () => await work(controller.signal), controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', forward);
  }
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await abortable(
      async () =>
        await new Promise<void>((resolve) => {
          timer = setTimeout(resolve, milliseconds);
        }),
      signal,
    );
  } finally {
    clearTimeout(timer);
  }
}
