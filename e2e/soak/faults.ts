import type { Random } from '../../tools/fuzz/random.ts';

/** How a server answers wrongly. */
export const faultKinds = ['error', 'reset', 'cut', 'rubbish', 'slow', 'hang'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Decides which requests fail: some at any time, and all of them while the source is away. */
export class Faults {
  readonly #random: Random;
  readonly #counts: Record<string, number> = {};
  #ticksAway = 0;
  #isQuiet = false;

  constructor(random: Random) {
    this.#random = random;
  }

  /** How often each fault was made. */
  get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }

  get isAway(): boolean {
    return this.#ticksAway > 0;
  }

  /** Lets time pass: from time to time the source goes away for some ticks. */
  tick(): void {
    if (this.#isQuiet) return;
    if (this.#ticksAway > 0) this.#ticksAway -= 1;
    else if (this.#random.below(60) === 0) {
      this.#ticksAway = 4 + this.#random.below(12);
      this.#count('away');
    }
  }

  /** The fault of the next request, if it has one. */
  next(): FaultKind | undefined {
    if (this.#isQuiet) return undefined;
    if (this.#ticksAway === 0 && this.#random.below(12) !== 0) return undefined;
    const kind = this.#random.pick(faultKinds);
    this.#count(kind);
    return kind;
  }

  /** From now on nothing fails. */
  quiet(): void {
    this.#isQuiet = true;
    this.#ticksAway = 0;
  }

  #count(kind: string): void {
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1;
  }
}
