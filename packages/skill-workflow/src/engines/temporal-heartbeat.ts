/** The part of a `Context` of `@temporalio/activity` that is used here. */
export interface TemporalActivityContext {
  readonly cancellationSignal: AbortSignal;
  readonly info: { readonly attempt: number; readonly heartbeatTimeoutMs?: number | undefined };
  heartbeat(): void;
}

/** How long Temporal's worker holds heartbeats back where no `heartbeatTimeout` is set. */
const defaultThrottleMs = 30_000;

/**
 * Runs the work of an activity, with heartbeats until it ends: Temporal tells an activity that it
 * is canceled only in answer to one.
 *
 * @param current reads the context of the activity
 */
export async function withHeartbeat<Value>(
  current: (() => TemporalActivityContext) | undefined,
  work: (call: { readonly attempt: number; readonly signal: AbortSignal | undefined }) => Promise<Value>,
): Promise<Value> {
  const activity = current?.();
  if (activity === undefined) return await work({ attempt: 1, signal: undefined });
  const { info, cancellationSignal: signal } = activity;
  const beat = setInterval(() => activity.heartbeat(), Math.min(info.heartbeatTimeoutMs || defaultThrottleMs, defaultThrottleMs) / 3);
  try {
    return await work({ attempt: info.attempt, signal });
  } finally {
    clearInterval(beat);
  }
}
