/**
 * A short fingerprint of a text (FNV-1a, 64 bits in two lanes, as 16 hex digits). It is synchronous, so a pure fold can use it; it detects
 * edits but does not protect against tampering: files are verified by SHA-256.
 *
 * @example
 * ```ts
 * import { fingerprint } from '@repertoire/skills-core/internal';
 *
 * export const isEdited = (before: string, after: string): boolean => fingerprint(before) !== fingerprint(after);
 * ```
 */
export function fingerprint(text: string): string {
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit ^ (low >>> 16), 0x01000193);
  }
  return hex(high) + hex(low);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
