/** The part of all cases that `pnpm test` tries, so that a run stays short. `pnpm fuzz --properties 1` tries all of them, and a larger number more. */
const partOfTests = 0.25;

/** What was asked for by `pnpm fuzz --properties`, or the part of `pnpm test`. */
const part = Number(process.env['PROPERTY_RUNS'] ?? partOfTests);

/** How many cases a property is tried on: the same ones in every run. */
export function propertyRuns(all: number): number {
  return Math.ceil(all * part);
}

/**
 * Whether a case of a table is tried: `pnpm test` tries every value of each dimension with every value of each other one, and leaves out
 * most of the combinations of three. `pnpm fuzz --properties 1` tries all.
 *
 * @param last the place of the case in the last dimension, which has `size` values; no other dimension has fewer but those of one or two
 * @param others its places in the other dimensions
 */
export function isTried({ last, size }: { readonly last: number; readonly size: number }, ...others: readonly number[]): boolean {
  return part >= 1 || others.reduce((sum, place) => sum + place, 0) % size === last;
}
