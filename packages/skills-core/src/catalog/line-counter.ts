/** The most lines that are remembered per counter: about a catalog of some thousand skills in several widths. */
const maxLines = 50_000;

const counters = new WeakMap<(text: string) => number, LineCounter>();

/**
 * Counts the tokens of lines and remembers them, because counting is what costs: a catalog that is built again for the next request, or in
 * another width, has mostly the same lines. What is remembered depends on the text alone.
 */
export class LineCounter {
  readonly #countTokens: (text: string) => number;
  readonly #known = new Map<string, number>();

  constructor(countTokens: (text: string) => number) {
    this.#countTokens = countTokens;
  }

  /** The counter of a function; the same one for the same function. */
  static of(countTokens: (text: string) => number): LineCounter {
    const known = counters.get(countTokens);
    if (known !== undefined) return known;
    const counter = new LineCounter(countTokens);
    counters.set(countTokens, counter);
    return counter;
  }

  /** Tokens of a line with its line end. */
  count(line: string): number {
    const known = this.#known.get(line);
    if (known !== undefined) return known;
    const tokens = this.#countTokens(`${line}\n`);
    if (this.#known.size >= maxLines) this.#known.clear();
    this.#known.set(line, tokens);
    return tokens;
  }
}
