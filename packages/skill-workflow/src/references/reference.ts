import { jsonpath } from 'json-p3';

/**
 * A reference such as `$.steps.search.output.price`, split into names and indexes, or why it is
 * none.
 */
export type ReadReference = { readonly path: readonly (string | number)[] } | { readonly problem: string };

const maxReferenceLength = 1000;

/** Whether a text is a reference. `$$.` and `$$[` start a literal; `$5` is a price. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && /^\$[.[]/.test(value);
}

/** The text that a literal stands for: `$$.input` is the text `$.input`. */
export function literalText(text: string): string {
  return /^\$\$[.[]/.test(text) ? text.slice(1) : text;
}

/** Parses a reference that leads to one place: no wildcards, slices, filters or `..`. */
export function readReference(text: string): ReadReference {
  if (text.length > maxReferenceLength) return { problem: `is longer than ${maxReferenceLength} characters` };
  try {
    const query = jsonpath.compile(text);
    if (!query.singularQuery()) return { problem: 'can match several places; write a path that leads to one' };
    return { path: query.segments.map(({ selectors }) => keyOf(selectors[0])) };
  } catch (error) {
    const at = indexOf(error);
    return { problem: `is not a valid path${at === undefined ? '' : ` (at character ${at + 1})`}` };
  }
}

function keyOf(selector: unknown): string | number {
  const { name, index } = selector as { readonly name?: string; readonly index?: number };
  return name ?? index ?? '';
}

function indexOf(error: unknown): number | undefined {
  const token = (error as { readonly token?: { readonly index?: unknown } } | null)?.token;
  return typeof token?.index === 'number' ? token.index : undefined;
}
