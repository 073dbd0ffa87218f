/** Runs work on every item, so many at a time. Stops early, and rejects with the signal's reason, once the signal is aborted. */
export async function forEachBounded<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let next = 0;
  const runner = async (): Promise<void> => {
    while (next < items.length && !signal.aborted) {
      const index = next;
      next += 1;
      await work(items[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, runner));
  signal.throwIfAborted();
}
