/** Keeps the values that were used last, up to a number of bytes. */
export class Memory<Value> {
  readonly #maxBytes: number;
  readonly #values = new Map<string, { readonly value: Value; readonly bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Value | undefined {
    const found = this.#values.get(key);
    if (found === undefined) return undefined;
    // A map remembers the order of insertion: the last is the one used last.
    this.#values.delete(key);
    this.#values.set(key, found);
    return found.value;
  }

  set(key: string, value: Value, bytes: number): void {
    this.delete(key);
    // What fills all of it would push out everything else and then leave as well.
    if (bytes > this.#maxBytes) return;
    this.#values.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const found = this.#values.get(key);
    if (found === undefined) return;
    this.#values.delete(key);
    this.#bytes -= found.bytes;
  }

  clear(): void {
    this.#values.clear();
    this.#bytes = 0;
  }
}
