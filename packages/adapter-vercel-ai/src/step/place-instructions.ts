import type { Instructions } from 'ai';

/** Behind which instructions a text was put, by what came of it. The SDK carries instructions from step to step, and a text must not be put behind itself. */
const bases = new WeakMap<object, Instructions | undefined>();

/**
 * Instructions with a text behind them, in place of the text that was put there at an earlier step. `undefined` where nothing is to change.
 */
export function placeInstructions(current: Instructions | undefined, text: string): Instructions | undefined {
  const placed = typeof current === 'object' && bases.has(current);
  const base = placed ? bases.get(current) : current;
  if (text === '') return placed ? (base ?? '') : undefined;
  const result: Instructions =
    base === undefined || typeof base === 'string'
      ? [{ role: 'system', content: [base, text].filter(Boolean).join('\n\n') }]
      : [...(Array.isArray(base) ? base : [base]), { role: 'system', content: text }];
  bases.set(result, base);
  return result;
}
