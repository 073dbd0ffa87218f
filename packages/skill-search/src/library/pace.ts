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

  /** Counts work that was done. Where the slice is full, everyone who shares the pace waits for the next turn of the event loop. */
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

  /** Ends the slice here: what comes next takes one of its own. */
  async rest(): Promise<void> {
    await this.spend(this.#charactersPerSlice);
  }
}

/** `setImmediate` comes back without sleeping, which a timer does for a millisecond, and for much longer where the machine is busy. Not every platform has it. */
const nextTurn =
  (globalThis as { readonly setImmediate?: (resume: () => void) => void }).setImmediate ?? ((resume: () => void) => setTimeout(resume, 0));
