/** Something that takes bytes of strangers. A module below `e2e/fuzz/targets/` exports one as `target`. */
export interface FuzzTarget {
  /** What the inputs are: it decides how they are changed. JSON is changed by its values, too. */
  readonly form: 'text' | 'json' | 'bytes';
  /** Inputs to begin with, well-formed ones among them. */
  seeds(): Iterable<Uint8Array> | Promise<Iterable<Uint8Array>>;
  /** Pieces that mean something in the format. */
  readonly words: readonly string[];
  /** Bytes of the longest input. @default 65_536 */
  readonly maxBytes?: number;
  /** Milliseconds of CPU that an input may take whatever its length, and those for each KiB of it. @default 40 and 3 */
  readonly budget?: CpuBudget;
  /** Takes an input, which is what its CPU time is measured of. Whatever it throws is a finding: it catches the errors that are meant for bad input itself. */
  run(input: Uint8Array): unknown;
  /** Throws where what `run` answered is not as it should be. Its time does not count. */
  check?(answer: unknown, input: Uint8Array): unknown;
}

/** What an input may cost. */
export interface CpuBudget {
  readonly freeMs: number;
  readonly msPerKib: number;
}

export const defaultBudget: CpuBudget = { freeMs: 40, msPerKib: 3 };
export const defaultMaxBytes = 65_536;

/** Milliseconds of CPU that an input of so many bytes may take. */
export function allowedMs({ freeMs, msPerKib }: CpuBudget, bytes: number): number {
  return freeMs + (msPerKib * bytes) / 1024;
}
