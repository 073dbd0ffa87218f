import { BaseMessage } from '@langchain/core/messages';
import { MessageView } from './message-view.ts';
import { maxValueDepth } from './meter.ts';

class ExpressionValueError extends Error {}

/**
 * Converts a value for expressions. Whole numbers become CEL integers, so `state.count + 1` works.
 */
export function toExpressionValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return null;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxValueDepth) throw new ExpressionValueError(`A value is nested deeper than ${maxValueDepth} levels.`);
  if (BaseMessage.isInstance(value)) return new MessageView(value, toExpressionValue);
  if (Array.isArray(value)) return value.map((item) => toExpressionValue(item, depth + 1));
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [String(key), toExpressionValue(item, depth + 1)]));
}

/**
 * Converts the result of an expression to plain data and messages.
 *
 * @throws {ExpressionValueError} for values that a state cannot store: times, durations, bytes,
 *   integers beyond 2^53
 */
export function fromExpressionValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint') {
    if (Number.isSafeInteger(Number(value))) return Number(value);
    throw new ExpressionValueError(`The number ${value} is too large to be kept exactly. Use string().`);
  }
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxValueDepth) throw new ExpressionValueError(`The value is nested deeper than ${maxValueDepth} levels.`);
  if (value instanceof MessageView) return value.message;
  if (Array.isArray(value)) return value.map((item) => fromExpressionValue(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!(value instanceof Map) && prototype !== Object.prototype && prototype !== null) {
    throw new ExpressionValueError('Times, durations, bytes and types cannot be kept in a state. Use string().');
  }
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [String(key), fromExpressionValue(item, depth + 1)]));
}

/** A value as text: strings unchanged, everything else as JSON. */
export function expressionText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_, part: unknown) => jsonOf(part)) ?? 'null';
}

function jsonOf(part: unknown): unknown {
  if (typeof part === 'bigint') return Number.isSafeInteger(Number(part)) ? Number(part) : String(part);
  return part instanceof Map ? Object.fromEntries(part) : part;
}
