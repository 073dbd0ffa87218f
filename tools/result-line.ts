/** What became of a test run. */
export interface TestTotals {
  readonly passed: number;
  readonly failed: number;
  /** Name and reason of each skipped test. */
  readonly skipped: readonly string[];
}

/** The end of a run's output, whose last line CI reads: `N passed, N failed`. */
export function resultLine({ passed, failed, skipped }: TestTotals): string {
  const left = skipped.length === 0 ? [] : [`${skipped.length} skipped: ${skipped.join('; ')}`];
  return [...left, `${passed} passed, ${failed} failed`].join('\n');
}
