import type { Instructions } from 'ai';

/** Our instructions by their base: the SDK carries them on, and a text must not be repeated. */
const bases = new WeakMap<object, Instructions | undefined>();

/**
 * Appends a text to the instructions, in place of the text that an earlier step appended. Empty
 * instructions are removed, since some providers reject them. Returns `undefined` if nothing
 * changes.
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

function withoutEmpty(instructions: Instructions | undefined): Instructions | undefined {
  if (instructions === undefined) return undefined;
  if (typeof instructions === 'string') return instructions.trim() === '' ? [] : undefined;
  const all = Array.isArray(instructions) ? instructions : [instructions];
  const full = all.filter(({ content }) => content.trim() !== '');
  return full.length === all.length ? undefined : full;
}
