import { isReference } from './reference.ts';

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
