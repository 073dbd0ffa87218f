/**
 * Divides long work into slices, so that other work can run. It counts characters instead of time,
 * because clocks stand still in Workers while code runs, and so that the same library is always
 * divided in the same way. Create one for each task: in Workers, no task may wait for another
 * request.
 */
export class Pace {
  readonly #charactersPerSlice: number;
  #spent = 0;
  #turn: Promise<void> | null = null;

  /** @param charactersPerSlice about 40,000 characters take a millisecond on a core of 2024 */
  constructor(charactersPerSlice = 49_152) {
    this.#charactersPerSlice = charactersPerSlice;
  }

  /**
   * Counts work that was done. When the slice is full, all users of this object wait for the next
   * turn of the event loop.
   */
  async spend(characters: number): Promise<void> {
    this.#spent += characters;
    if (this.#turn === null && this.#spent >= this.#charactersPerSlice) {
      this.#turn = new Promise<void>((resolve) => {
        nextTurn(() => {
          this.#turn = null;
          this.#spent = 0;
          resolve();
        });
      });
    }
    if (this.#turn !== null) await this.#turn;
  }

  /** Ends the current slice. */
  async rest(): Promise<void> {
    await this.spend(this.#charactersPerSlice);
  }
}

/**
 * `setImmediate` returns without sleeping. A timer sleeps for a millisecond, and for much longer on
 * a busy machine. Not every platform has `setImmediate`.
 */
const nextTurn =
  (globalThis as { readonly setImmediate?: (resume: () => void) => void }).setImmediate ?? ((resume: () => void) => setTimeout(resume, 0));
