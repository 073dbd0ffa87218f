/**
 * Runs work that cannot be canceled so that its caller can still leave: rejects with the signal's
 * reason as soon as it aborts. What the work then does is ignored.
 *
 * @example
 * ```ts
 * import { abortable } from '@repertoire/skills-core/provider';
 *
 * interface Database { read(key: string): Promise<string> } // it takes no signal
 *
 * export const read = (database: Database, key: string, signal?: AbortSignal): Promise<string> =>
 *   abortable(() => database.read(key), signal);
 * ```
 */
export async function abortable<Value>(work: () => Value | Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return await work();
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
