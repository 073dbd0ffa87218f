import { isSame } from './is-same.ts';
import { printValue } from './print-value.ts';

/** Fails the case unless `condition` holds. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Fails unless both print alike: `undefined` like absent, keys in any order, bytes by value. */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  // Printing is slow, and only needed if they differ.
  if (isSame(actual, expected)) return;
  const got = printValue(actual);
  const wanted = printValue(expected);
  if (got === wanted) return;
  const start = firstDifference(got, wanted);
  throw new Error(`${what}: expected ${excerpt(wanted, start)}, got ${excerpt(got, start)}.`);
}

/** Fails the case for `null`, otherwise returns the value. */
export function assertFound<Value>(value: Value | null, what: string): Value {
  assert(value !== null, `${what}: expected an answer, got null.`);
  return value;
}

function firstDifference(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index += 1;
  return index;
}

/** Long values are shown around the first difference. */
function excerpt(text: string, at: number): string {
  if (text.length <= 300) return text;
  const start = Math.max(0, at - 60);
  return `${start > 0 ? '…' : ''}${text.slice(start, at + 120)}${at + 120 < text.length ? '…' : ''}`;
}
