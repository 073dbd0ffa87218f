import { forEachBounded } from '@repertoire/skills-core/provider';

/**
 * A slice of the event loop. With garbage collection and functions that are compiled, it stays
 * within seven. A turn of the loop costs a hundredth of it.
 */
const sliceMs = 4;
/** Longer calls wait for a cold disk or a network, or the processor was busy. */
const slowCallMs = 1;
const slowCallsAreProof = 8;
/** A slow disk makes most calls wait, and a busy processor one of ten or twenty. */
const quickCallsForOne = 4;

/** What one scan has learned of the disk, and how long it has kept the event loop. */
export class DiskPace {
  #sliceBegan = performance.now();
  #lookBegan = this.#sliceBegan;
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
      this.#learn(performance.now() - began);
    }
  }

  /** Begins a look at something: calls of the disk, and what is made of their answers. */
  beginLook(): void {
    this.#lookBegan = performance.now();
  }

  /** Ends a look and begins the next. Returns whether the slice is over. */
  endLook(): boolean {
    const now = performance.now();
    this.#learn(now - this.#lookBegan);
    this.#lookBegan = now;
    return now - this.#sliceBegan > sliceMs;
  }

  #learn(tookMs: number): void {
    if (tookMs > slowCallMs) this.#slowCalls += 1;
    else if (!this.isSlow) this.#slowCalls = Math.max(0, this.#slowCalls - 1 / quickCallsForOne);
  }

  /** Yields to the event loop. All who share the pace share its slices. */
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

  /** Yields behind an answer of a thread, which comes before timers had their turn. */
  async restBehindThread(): Promise<void> {
    await this.rest();
    await this.rest();
  }

  get isSliceOver(): boolean {
    return performance.now() - this.#sliceBegan > sliceMs;
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
 * Looks at every item, and hands over what it found in their order. A call that goes through a
 * thread costs several times what the call itself does, so this is done at once, in slices that
 * leave the event loop to others in between. The first of a scan is left to a thread all the same,
 * as a disk that does not answer must not hold up the process; and all others are as soon as the
 * disk turns out to be slow.
 *
 * @throws the signal's reason once it is aborted
 */
export async function lookAtEach<Item, Found>(
  items: readonly Item[],
  { now, later }: Look<Item, Found>,
  pace: DiskPace,
  concurrency: number,
  signal: AbortSignal,
  take: (found: Found, item: Item) => void,
): Promise<void> {
  let next = 0;
  pace.beginLook();
  while (next < items.length && !pace.isSlow) {
    const item = items[next] as Item;
    next += 1;
    const known = pace.answered ? now(item) : undefined;
    take(known === undefined ? await later(item) : known, item);
    pace.answered = true;
    if (known === undefined) await pace.restBehindThread();
    else if (pace.endLook()) await pace.rest();
    else continue;
    signal.throwIfAborted();
    pace.beginLook();
  }
  if (next === items.length) return;
  const rest = items.slice(next);
  const waiting = new Map<number, Found>();
  let taken = 0;
  await forEachBounded(
    rest,
    concurrency,
    async (item, index) => {
      waiting.set(index, await later(item));
      for (; waiting.has(taken); taken += 1) {
        take(waiting.get(taken) as Found, rest[taken] as Item);
        waiting.delete(taken);
      }
    },
    signal,
  );
}
