/** What was reached, branch by branch, and about how often in one run. */
export class Coverage {
  readonly #counters: Uint8Array;
  readonly #words: Uint32Array;
  readonly #seen: Uint8Array;
  #reached = 0;

  constructor(branches: number) {
    const buffer = new ArrayBuffer(Math.ceil(branches / 4) * 4);
    this.#counters = new Uint8Array(buffer);
    this.#words = new Uint32Array(buffer);
    this.#seen = new Uint8Array(buffer.byteLength);
  }

  /** What the instrumented module counts in. */
  get counters(): Uint8Array {
    return this.#counters;
  }

  /** How many branches were ever taken. */
  get reached(): number {
    return this.#reached;
  }

  /** Forgets what the last run counted, without looking. */
  clear(): void {
    this.#counters.fill(0);
  }

  /** Whether the last run took a branch that none took before, or took one much more often. */
  takeNew(): boolean {
    let found = false;
    for (let word = 0; word < this.#words.length; word += 1) {
      if (this.#words[word] === 0) continue;
      for (let index = word * 4; index < word * 4 + 4; index += 1) {
        const bit = bitOf(this.#counters[index] ?? 0);
        const seen = this.#seen[index] ?? 0;
        if ((seen & bit) === bit) continue;
        if (seen === 0) this.#reached += 1;
        this.#seen[index] = seen | bit;
        found = true;
      }
    }
    this.clear();
    return found;
  }
}

function bitOf(count: number): number {
  if (count < 4) return count === 0 ? 0 : 1 << (count - 1);
  if (count < 8) return 8;
  if (count < 16) return 16;
  if (count < 32) return 32;
  return count < 128 ? 64 : 128;
}
