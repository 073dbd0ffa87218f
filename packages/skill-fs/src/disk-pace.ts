import fs from 'node:fs';

/**
 * A slice of the event loop. With garbage collection and functions that are compiled, it stays
 * within seven. A turn of the loop costs a hundredth of it.
 */
const sliceMs = 4;
/** Longer calls wait for a cold disk or a network, or for the processor. */
const slowCallMs = 1;
const slowCallsAreProof = 8;
/** A slow disk makes most calls wait. */
const quickCallsForOne = 4;
/** So many calls behind a long one are looked at closely, which costs a microsecond each. */
const callsLookedAt = 4;
/** After that, a disk may be asleep or gone. */
const quietMs = 1_000;

/** Thrown by a scan of a disk that makes its callers wait: a thread of its own does all of it. */
export class SlowDiskError extends Error {}

/**
 * How one source calls its disk: at once, since a thread costs several times what a call does, in
 * slices that leave the event loop to others in between. The first call, and the first after a
 * pause, is a thread's, as a disk that does not answer must not hold up the process.
 */
export class DiskPace {
  #mayBeSlow: boolean;
  #sliceBegan = performance.now();
  #callBegan = this.#sliceBegan;
  #askedAt = Number.NEGATIVE_INFINITY;
  #slowCalls = 0;
  #lookedAt = 0;
  #switches = noSwitches;
  #turn: Promise<void> | null = null;
  #knock: Promise<void> | null = null;

  /** @param mayBeSlow `false` where nobody else could wait for the disk. @default true */
  constructor(mayBeSlow = true) {
    this.#mayBeSlow = mayBeSlow;
  }

  /** Whether the disk makes callers wait, so that a thread had better call it. */
  get isSlow(): boolean {
    return this.#mayBeSlow && this.#slowCalls >= slowCallsAreProof;
  }

  get isSliceOver(): boolean {
    return performance.now() - this.#sliceBegan > sliceMs;
  }

  /** No thread could be started: from now on, the disk is as quick as it is. */
  giveUpThreads(): void {
    this.#mayBeSlow = false;
  }

  /** Begins calls of the disk, which {@link called} ends: what is made of them is no part of it. */
  call(): void {
    if (this.#lookedAt > 0) this.#switches = process.resourceUsage();
    this.#callBegan = performance.now();
  }

  /** Ends calls, and begins the next ones. Returns whether the slice is over. */
  called(): boolean {
    const now = performance.now();
    const isLong = now - this.#callBegan > slowCallMs;
    if (isLong && this.#lookedAt > 0 && hasWaited(this.#switches, process.resourceUsage())) this.#slowCalls += 1;
    else if (!isLong && this.#slowCalls > 0 && !this.isSlow) this.#slowCalls = Math.max(0, this.#slowCalls - 1 / quickCallsForOne);
    if (isLong) this.#lookedAt = callsLookedAt;
    else if (this.#lookedAt > 0) this.#lookedAt -= 1;
    this.call();
    return now - this.#sliceBegan > sliceMs;
  }

  /**
   * Waits until the disk may be called at once. A thread asks whether all of these places answer,
   * where nobody has for a while.
   */
  async begin(...places: readonly string[]): Promise<void> {
    const now = performance.now();
    if (this.#knock === null && now - this.#askedAt > quietMs) {
      this.#slowCalls = 0;
      const knocks = places.map((place) => new Promise<void>((resolve) => fs.lstat(place, () => resolve())));
      this.#knock = Promise.all(knocks).then(() => undefined);
      await this.#knock;
      this.#knock = null;
      // What a thread answers comes before timers had their turn.
      await this.rest();
      await this.rest();
    } else await this.#knock;
    this.#askedAt = performance.now();
    if (this.isSliceOver) await this.rest();
  }

  /** Yields to the event loop, until a slice begins. All who share the pace share its slices. */
  async rest(): Promise<void> {
    do {
      this.#turn ??= new Promise((resolve) => {
        setImmediate(() => {
          this.#turn = null;
          this.#sliceBegan = performance.now();
          resolve();
        });
      });
      await this.#turn;
      // Of several who waited, the first may have used it up.
    } while (this.isSliceOver);
    this.call();
  }

  /** The same within a scan. @throws the reason of an abort, or {@link SlowDiskError} */
  async restInScan(signal: AbortSignal): Promise<void> {
    await this.rest();
    signal.throwIfAborted();
    if (this.isSlow) throw new SlowDiskError('The disk makes its callers wait.');
  }
}

type Switches = Pick<NodeJS.ResourceUsage, 'voluntaryContextSwitches' | 'involuntaryContextSwitches'>;

const noSwitches: Switches = { voluntaryContextSwitches: 0, involuntaryContextSwitches: 0 };

/**
 * Whether a long call waited for something else than the processor. Who waits gives that up; from
 * whom a busy system takes it has not waited. Windows counts neither: there, long is slow.
 */
function hasWaited(before: Switches, after: Switches): boolean {
  const gaveUp = after.voluntaryContextSwitches;
  const lost = after.involuntaryContextSwitches;
  return gaveUp + lost === 0 || (gaveUp > before.voluntaryContextSwitches && lost === before.involuntaryContextSwitches);
}
