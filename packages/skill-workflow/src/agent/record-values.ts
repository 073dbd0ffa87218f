import { bytesOfText, textOfBytes } from './base64.ts';

/**
 * Converts what a step returns to JSON, which every engine can record. Bytes, dates and addresses
 * keep their kind; what is `undefined` is left out, and `null` stands for a value that is not
 * there.
 */
export function toRecord(value: unknown): unknown {
  if (value === undefined) return null;
  if (value instanceof Uint8Array) return { $bytes: textOfBytes(value) };
  // A date that is none has no text.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : { $date: value.toISOString() };
  if (value instanceof URL) return { $url: value.href };
  if (Array.isArray(value)) return value.map(toRecord);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && typeof field !== 'function');
  // A key that looks like one of ours is told from it.
  return Object.fromEntries(fields.map(([key, field]) => [key.startsWith('$') ? `$${key}` : key, toRecord(field)]));
}

export function fromRecord(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromRecord);
  if (typeof value !== 'object' || value === null) return value;
  const { $bytes, $date, $url } = value as { readonly [key: string]: unknown };
  if (typeof $bytes === 'string') return bytesOfText($bytes);
  if (typeof $date === 'string') return new Date($date);
  if (typeof $url === 'string') return new URL($url);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key.startsWith('$') ? key.slice(1) : key, fromRecord(field)]));
}
