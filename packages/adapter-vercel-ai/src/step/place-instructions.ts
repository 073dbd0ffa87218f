import type { Instructions } from 'ai';

/** Behind which instructions a text was put, by what came of it. The SDK carries instructions from step to step, and a text must not be put behind itself. */
const bases = new WeakMap<object, Instructions | undefined>();

/**
 * Instructions with a text behind them, in place of the text that was put there at an earlier step. Empty ones are taken out, since some
 * providers refuse them. `undefined` where nothing is to change.
 */
export function placeInstructions(current: Instructions | undefined, text: string): Instructions | undefined {
  const placed = typeof current === 'object' && bases.has(current);
  const base = placed ? bases.get(current) : current;
  if (text === '') {
    if (placed) return withoutEmpty(base) ?? base ?? [];
    return withoutEmpty(current);
  }
  const result: Instructions =
    base === undefined || typeof base === 'string'
      ? [{ role: 'system', content: [base, text].filter(Boolean).join('\n\n') }]
      : [...(Array.isArray(base) ? base : [base]), { role: 'system', content: text }];
  bases.set(result, base);
  return result;
}

/** The instructions without empty messages; `undefined` where there are none such. */
function withoutEmpty(instructions: Instructions | undefined): Instructions | undefined {
  if (instructions === undefined) return undefined;
  if (typeof instructions === 'string') return instructions.trim() === '' ? [] : undefined;
  const all = Array.isArray(instructions) ? instructions : [instructions];
  const full = all.filter(({ content }) => content.trim() !== '');
  return full.length === all.length ? undefined : full;
}
