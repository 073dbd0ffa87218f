/** Runs work on every item, so many at a time. Where one fails, no other begins; those under way are waited for, so that nothing goes on behind the caller's back. */
export async function forEachBounded<Item>(
  items: readonly Item[],
  concurrency: number,
  signal: AbortSignal | undefined,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const runner = async (): Promise<void> => {
    while (next < items.length && failure === undefined && signal?.aborted !== true) {
      const index = next;
      next += 1;
      try {
        await work(items[index] as Item, index);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, runner));
  signal?.throwIfAborted();
  if (failure !== undefined) await Promise.reject(failure.error);
}
