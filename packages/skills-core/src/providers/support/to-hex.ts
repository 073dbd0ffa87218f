/**
 * Bytes in lower-case hex.
 *
 * @example
 * ```ts
 * import { toHex } from '@repertoire/skills-core/internal';
 *
 * export const hex = toHex(new Uint8Array([0, 171])); // '00ab'
 * ```
 */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
