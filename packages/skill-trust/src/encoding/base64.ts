import type { Bytes } from './bytes.ts';

/** Bytes per call of `String.fromCharCode`, whose number of arguments is limited. */
const chunkBytes = 8192;

/**
 * Decodes canonical base64 only: standard alphabet, full padding, no white space, no spare bits.
 * Each byte string has exactly one encoding, so nobody can change the text of a signed document
 * without changing its content.
 *
 * @returns `null` for anything else
 */
export function decodeBase64(text: string): Bytes | null {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return null;
  }
  if (btoa(binary) !== text) return null;
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Encodes with the standard alphabet and full padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) parts.push(String.fromCharCode(...bytes.subarray(at, at + chunkBytes)));
  return btoa(parts.join(''));
}
