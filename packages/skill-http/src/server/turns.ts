/** About three milliseconds of packing. */
const bytesPerTurn = 524_288;
/** What every file costs besides its bytes. */
export const fileCost = 8_192;

/**
 * Divides long work, so that others get their turn. It counts bytes and not time: on Workers clocks stand still while code runs. Make one for each piece of work: on
 * Workers, nobody may wait for a turn that another request waits for.
 */
export class Turns {
  #spent = 0;
  #next: Promise<void> | null = null;

  /** Counts work that was done. When the turn is over, everyone who shares it waits for the next. */
  async spend(bytes: number): Promise<void> {
    this.#spent += bytes;
    if (this.#spent >= bytesPerTurn)
      this.#next ??= new Promise<void>((resolve) => {
        nextTurn(() => {
          this.#next = null;
          this.#spent = 0;
          resolve();
        });
      });
    if (this.#next !== null) await this.#next;
  }
}

/** `setImmediate` comes back without sleeping, which a timer does for a millisecond. Not every platform has it. */
const nextTurn =
  (globalThis as { readonly setImmediate?: (resume: () => void) => void }).setImmediate ?? ((resume: () => void) => setTimeout(resume, 0));
