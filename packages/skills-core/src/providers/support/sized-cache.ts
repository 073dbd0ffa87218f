/**
 * A least-recently-used cache in memory, limited by total size. The size is in whatever unit the
 * source bounds: bytes, or 1 for each value. It holds values and never promises, so that requests
 * may share it (see {@link sharesPromises}).
 */
export class SizedCache<Value> {
  readonly #maxSize: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>();
  #size = 0;

  /** @param maxSize the most that all values may have together */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** Returns the value of a key and marks it as used; `undefined` if there is none. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A map remembers the order of insertion: the last is the one used last.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Stores a value. One larger than the whole cache evicts nothing. */
  set(key: string, value: Value, size: number): void {
    this.delete(key);
    if (size > this.#maxSize) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) break;
      this.delete(oldest);
    }
  }

  /** Removes the value of a key. */
  delete(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }
}
