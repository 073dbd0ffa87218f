/** A share of tries, and the interval that it lies in with 95 % confidence. */
export interface MeasuredShare {
  readonly hits: number;
  readonly tries: number;
  /** `null` without tries. */
  readonly share: number | null;
  readonly low: number;
  readonly high: number;
}

const z = 1.959964;

/** Wilson's interval, which also holds for few tries and for shares near 0 and 1. */
export function measuredShare(hits: number, tries: number): MeasuredShare {
  if (tries === 0) return { hits, tries, share: null, low: 0, high: 1 };
  const share = hits / tries;
  const middle = share + z ** 2 / (2 * tries);
  const width = z * Math.sqrt((share * (1 - share)) / tries + z ** 2 / (4 * tries ** 2));
  const whole = 1 + z ** 2 / tries;
  return { hits, tries, share, low: Math.max(0, (middle - width) / whole), high: Math.min(1, (middle + width) / whole) };
}

/** `80 % (38–96 %, 4 of 5)` */
export function shareText({ hits, tries, share, low, high }: MeasuredShare): string {
  if (share === null) return 'no tries';
  const percent = (value: number): number => Math.round(value * 100);
  return `${percent(share)} % (${percent(low)}–${percent(high)} %, ${hits} of ${tries})`;
}
