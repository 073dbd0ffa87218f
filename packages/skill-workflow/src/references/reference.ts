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

/** Returns the text that a literal stands for: `$$.input` is the text `$.input`. */
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

/** Where a value stands in the skill: `['steps', 1, 'input', 'a']`. */
export type ValuePath = readonly (string | number)[];

const maxDepth = 32;

/** A value that cannot be an argument, or a reference. */
export type FoundValue =
  | { readonly type: 'reference'; readonly text: string; readonly at: ValuePath }
  | { readonly type: 'invalid'; readonly problem: string; readonly at: ValuePath };

/** Finds every reference inside a value, and everything that is not JSON. */
export function* walkValues(value: unknown, at: ValuePath): Generator<FoundValue> {
  if (at.length > maxDepth) yield { type: 'invalid', problem: `is nested more than ${maxDepth} levels deep`, at };
  else if (isReference(value)) yield { type: 'reference', text: value, at };
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* walkValues(item, [...at, index]);
  else if (typeof value === 'object' && value !== null) yield* walkFields(value, at);
  else if (!isScalar(value)) yield { type: 'invalid', problem: `is ${nameOf(value)}, which is not JSON`, at };
}

function* walkFields(value: object, at: ValuePath): Generator<FoundValue> {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    yield { type: 'invalid', problem: 'is an object of a class, which is not JSON', at };
    return;
  }
  for (const [key, item] of Object.entries(value)) yield* walkValues(item, [...at, key]);
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function nameOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a value of type ${typeof value}`;
}
