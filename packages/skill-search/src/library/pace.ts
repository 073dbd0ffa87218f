/**
 * Divides long work into slices, so that others get their turn. It counts work in characters and not in time: on Workers clocks stand still while code runs, and
 * the same library is always divided alike. Make one for each piece of work: on Workers, nobody may wait for a turn that another request waits for.
 */
export class Pace {
  readonly #charactersPerSlice: number;
  #spent = 0;
  #turn: Promise<void> | null = null;

  /** @param charactersPerSlice about 40,000 characters are a millisecond on a core of 2024 */
  constructor(charactersPerSlice = 49_152) {
    this.#charactersPerSlice = charactersPerSlice;
  }

  /**
   * Asks for room for work that comes next, and waits where the slice is full. All who wait go on in the same turn of the event loop, so each looks again whether
   * those before it have filled the new slice.
   */
  async spend(characters: number): Promise<void> {
    while (this.#spent >= this.#charactersPerSlice) await this.#next();
    this.#spent += characters;
  }

  /** Waits for a slice in which nobody has done anything, and takes all of it. */
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

/** `setImmediate` comes back without sleeping, which a timer does for a millisecond, and for much longer where the machine is busy. Not every platform has it. */
const nextTurn =
  (globalThis as { readonly setImmediate?: (resume: () => void) => void }).setImmediate ?? ((resume: () => void) => setTimeout(resume, 0));
