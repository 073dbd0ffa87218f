/** A time for people: `2026-01-31 09:05 UTC`. What is no time stays as it is. */
export function readableTime(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
