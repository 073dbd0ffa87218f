/** Rejects with the reason when a signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as unknown), { once: true }));
}
