/** The part of all cases that `pnpm test` tries, so that a run stays short. `pnpm fuzz --properties 1` tries all of them, and a larger number more. */
const partOfTests = 0.25;

/** How many cases a property is tried on: the same ones in every run. */
export function propertyRuns(all: number): number {
  return Math.ceil(all * Number(process.env['PROPERTY_RUNS'] ?? partOfTests));
}
