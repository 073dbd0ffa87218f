/** What several runs gave. */
export interface Spread {
  readonly median: number;
  /** A quarter of the values is lower. */
  readonly low: number;
  /** A quarter of the values is higher. */
  readonly high: number;
  readonly runs: number;
}

/** The median with the middle half of the values. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75), runs: sorted.length };
}

function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
