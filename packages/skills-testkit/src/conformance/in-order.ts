import { assertEqual } from './assert.ts';
import { isSame } from './is-same.ts';
import { printValue } from './print-value.ts';

/** The answer with sorted lists: the contract leaves their order open. Others are unchanged. */
export function inOrder(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const lists = ['skills', 'resources', 'diagnostics'] as const;
  const sorted = lists.flatMap((key) => {
    const list: unknown = Object.hasOwn(answer, key) ? (answer as Record<string, unknown>)[key] : undefined;
    return Array.isArray(list) ? [[key, sortedByText(list)] as const] : [];
  });
  return sorted.length === 0 ? answer : { ...answer, ...Object.fromEntries(sorted) };
}

/** Fails the case unless both answers are equal, apart from the order of their lists. */
export function assertSameAnswer(actual: unknown, expected: unknown, what: string): void {
  // Sorting prints everything; mostly the order is the same.
  if (!isSame(actual, expected)) assertEqual(inOrder(actual), inOrder(expected), what);
}

function sortedByText(list: readonly unknown[]): unknown[] {
  return list
    .map((value) => ({ value, text: printValue(value) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ value }) => value);
}
