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
   * Reserves room for work that comes next, and waits while the slice is full. All that wait go on in
   * the same turn of the event loop, so each checks again whether those before it filled the new slice.
   */
  async spend(characters: number): Promise<void> {
    while (this.#spent >= this.#charactersPerSlice) await this.#next();
    this.#spent += characters;
  }

  /** Waits for a slice in which nothing has been done yet, and takes all of it. */
  async rest(): Promise<void> {
    do await this.#next();
    while (this.#spent > 0);
    this.#spent = this.#charactersPerSlice;
  }

  #next(): Promise<void> {
    this.#turn ??= new Promise<void>((resolve) => {
      nextTurn(() => {
        this.#turn = null;
        this.#spent = 0;
        resolve();
      });
    });
    return this.#turn;
  }
}

/**
 * `setImmediate` returns without sleeping. A timer sleeps for a millisecond, and for much longer on
 * a busy machine. Not every platform has `setImmediate`.
 */
const nextTurn =
  (globalThis as { readonly setImmediate?: (resume: () => void) => void }).setImmediate ?? ((resume: () => void) => setTimeout(resume, 0));
