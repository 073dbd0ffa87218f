/** Notifies everyone who listens, once per burst of changes. */
export class ChangeNotifier {
  readonly #listeners = new Set<{ readonly onChange: () => void }>();
  readonly #connect: () => () => void;
  #disconnect: (() => void) | undefined;
  #told = true;
  #closed = false;

  /** `connect` is called for the first listener; what it returns, after the last one. */
  constructor(connect: () => () => void = () => () => {}) {
    this.#connect = connect;
  }

  /** Subscribes; the function that it returns ends the subscription and may be called twice. */
  watch(onChange: () => void): () => void {
    if (this.#closed) return () => {};
    if (this.#listeners.size === 0) this.#disconnect = this.#connect();
    // An object of its own for each call, since one function may subscribe twice.
    const listener = { onChange };
    this.#listeners.add(listener);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#disconnect?.();
    };
  }

  /** Something changed. */
  notify(): void {
    if (!this.#told) return;
    this.#told = false;
    queueMicrotask(() => {
      this.#told = true;
      for (const listener of this.#listeners) {
        // In a task of its own, so that a listener that throws does not stop the others.
        queueMicrotask(() => {
          if (this.#listeners.has(listener)) listener.onChange();
        });
      }
    });
  }

  /** Ends every subscription, and makes the next ones silent. */
  close(): void {
    this.#closed = true;
    if (this.#listeners.size > 0) this.#disconnect?.();
    this.#listeners.clear();
  }
}
