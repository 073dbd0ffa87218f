import { forEachBounded } from '@repertoire/skills-core/provider';

/** How long the event loop is kept at a time; with what ends a slice, and the collector of garbage, it stays within ten. */
const sliceMs = 6;
/** A call that takes longer than this waits for a cold disk or a network; or something else had the processor, so one alone proves nothing. */
const slowCallMs = 1;
const slowCallsAreProof = 8;
/** So many quick calls make up for a slow one. */
const quickCallsForOne = 16;

/** What one scan has learned of the disk, and how long it has kept the event loop. */
export class DiskPace {
  #sliceBegan = performance.now();
  #slowCalls = 0;
  #turn: Promise<void> | null = null;
  /** Whether the disk has answered, so that it may be called at once. */
  answered = false;

  /** Whether the disk makes callers wait, so that threads had better do it. */
  get isSlow(): boolean {
    return this.#slowCalls >= slowCallsAreProof;
  }

  /** Calls the disk at once, and remembers if that took long. */
  call<Value>(work: () => Value): Value {
    const began = performance.now();
    try {
      return work();
    } finally {
      if (performance.now() - began > slowCallMs) this.#slowCalls += 1;
      else if (!this.isSlow) this.#slowCalls = Math.max(0, this.#slowCalls - 1 / quickCallsForOne);
    }
  }

  /** Lets others have the event loop. All who share the pace go on in the same turn, and share its slice. */
  async rest(): Promise<void> {
    this.#turn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#turn = null;
        this.#sliceBegan = performance.now();
        resolve();
      });
    });
    await this.#turn;
  }

  get isSliceOver(): boolean {
    return performance.now() - this.#sliceBegan > sliceMs;
  }

  /** Starts measuring now: earlier time was spent waiting and blocked nothing. */
  beginSlice(): void {
    this.#sliceBegan = performance.now();
  }
}

/** Two ways to look at something on the disk. */
export interface Look<Item, Found> {
  /** At once, with calls that wait. `undefined`: this one cannot be done at once. */
  readonly now: (item: Item) => Found | undefined;
  /** By a thread. */
  readonly later: (item: Item) => Promise<Found>;
}

/**
 * Looks at every item and answers in their order. A call that goes through a thread costs several times what the call itself does, so this is done
 * at once, in slices that leave the event loop to others in between. The first of a scan is left to a thread all the same, as a disk that does not answer
 * must not hold up the process; and all others are as soon as the disk turns out to be slow.
 *
 * @throws the signal's reason once it is aborted
 */
export async function lookAtEach<Item, Found>(
  items: readonly Item[],
  { now, later }: Look<Item, Found>,
  pace: DiskPace,
  concurrency: number,
  signal: AbortSignal,
): Promise<Found[]> {
  const found: Found[] = [];
  const [first] = items;
  if (first === undefined) return found;
  if (!pace.answered) {
    found.push(await later(first));
    signal.throwIfAborted();
    pace.answered = true;
    pace.beginSlice();
  }
  while (found.length < items.length && !pace.isSlow) {
    const item = items[found.length] as Item;
    const known = now(item);
    if (known !== undefined) found.push(known);
    else found.push(await later(item));
    if (!pace.isSliceOver) continue;
    await pace.rest();
    signal.throwIfAborted();
  }
  const rest = items.slice(found.length);
  const done = found.length;
  await forEachBounded(
    rest,
    concurrency,
    async (item, index) => {
      found[done + index] = await later(item);
    },
    signal,
  );
  return found;
}
