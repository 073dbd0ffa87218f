/**
 * Divides long work into slices, so that other work can run. It counts what is worked on and not
 * time, because clocks stand still in Workers while code runs, and so that the same library is
 * always divided in the same way. Create one for each task: in Workers, no task may wait for
 * another request.
 */
export class Pace {
  readonly #perSlice: number;
  #spent = 0;
  #turn: Promise<void> | null = null;

  /**
   * @param perSlice work in a slice; 40,000 characters of text take about a millisecond. @default
   *   49152
   */
  constructor(perSlice: number = 49_152) {
    this.#perSlice = perSlice;
  }

  /**
   * Reserves room for work that comes next, and waits while the slice is full. All that wait go on
   * in the same turn of the event loop, so each checks again whether those before it filled the new
   * slice.
   */
  async spend(amount: number): Promise<void> {
    while (this.#spent >= this.#perSlice) await this.#next();
    this.#spent += amount;
  }

  /** Waits for a slice in which nothing has been done yet, and takes all of it. */
  async rest(): Promise<void> {
    do await this.#next();
    while (this.#spent > 0);
    this.#spent = this.#perSlice;
  }

  #next(): Promise<void> {
    this.#turn ??= new Promise<void>((resolve) => {
      resumeLater(() => {
        this.#turn = null;
        this.#spent = 0;
        resolve();
      });
    });
    return this.#turn;
  }
}

/** The next turn of the event loop. `setImmediate` does not sleep, unlike timers. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => resumeLater(resolve));
}

function resumeLater(resume: () => void): void {
  const { setImmediate: later } = globalThis as { readonly setImmediate?: (resume: () => void) => void };
  if (later === undefined) setTimeout(resume, 0);
  else later(resume);
}
