/** Tokens that were used, and how often a model was called. */
export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the prices; `null` without prices. */
  readonly cost: number | null;
}

/** Prices for a million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
}

/** Adds up what calls used. */
export class UsageMeter {
  #calls = 0;
  #input = 0;
  #output = 0;

  add(calls: number, usage: { readonly inputTokens?: number | undefined; readonly outputTokens?: number | undefined }): void {
    this.#calls += calls;
    this.#input += usage.inputTokens ?? 0;
    this.#output += usage.outputTokens ?? 0;
  }

  total(prices: TokenPrices | undefined): ModelUsage {
    const cost = prices === undefined ? null : (this.#input * prices.input + this.#output * prices.output) / 1e6;
    return { calls: this.#calls, inputTokens: this.#input, outputTokens: this.#output, cost };
  }
}
