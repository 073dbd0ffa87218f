import { nodeBuiltin } from '../support/node-builtin.ts';
import { sha256 } from '@noble/hashes/sha2.js';

/** 132 bits: nobody finds two texts with one hash, and a state stays small. */
const length = 22;

/**
 * A hash of a text as 22 letters, digits, `-` and `_`: the first 132 bits of its SHA-256, as
 * base64url. It is synchronous, so that a pure fold can use it, and the same on every platform.
 * Node hashes by itself; elsewhere `@noble/hashes` does, since Web Crypto cannot answer at once.
 */
export function hashText(text: string): string {
  const { hash } = nodeBuiltin('node:crypto');
  if (hash !== undefined) return hash('sha256', text, 'base64url').slice(0, length);
  return base64url(sha256(new TextEncoder().encode(text)).subarray(0, 18)).slice(0, length);
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The sandboxes of some engines have no `btoa`. The number of bytes is a multiple of three. */
function base64url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (const shift of [18, 12, 6, 0]) text += letters[(bits >> shift) & 63] ?? '';
  }
  return text;
}
