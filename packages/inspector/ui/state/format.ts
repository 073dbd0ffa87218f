const whole = new Intl.NumberFormat('en-US');

/** `12,345` */
export function number(value: number): string {
  return whole.format(Math.round(value));
}

/** `12.3k`, for where there is little room. */
export function short(value: number): string {
  if (value < 1000) return String(Math.round(value));
  return value < 10_000
    ? `${(value / 1000).toFixed(1)}k`
    : value < 1_000_000
      ? `${Math.round(value / 1000)}k`
      : `${(value / 1_000_000).toFixed(1)}M`;
}

/** `1 skill`, `2 skills` */
export function count(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** `1.2 kB` */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  return value < 1_000_000 ? `${(value / 1000).toFixed(1)} kB` : `${(value / 1_000_000).toFixed(1)} MB`;
}

/** `2026-01-02 03:04` of a date; what is no date as it is. */
export function minute(at: string): string {
  return Number.isNaN(Date.parse(at)) ? at : new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** `14:03:22` of a date; nothing for what is no date. */
export function clock(at: string | null): string {
  const time = at === null ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? '' : new Date(time).toLocaleTimeString('en-GB');
}
