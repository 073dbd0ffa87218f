import { _SHA256 } from '@noble/hashes/sha2.js';

/**
 * SHA-256 at once, for platforms without `crypto.hash` of Node. The library's own function `sha256`
 * brings what makes hashers of its classes, which is a third of a KiB of every bundle.
 */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new _SHA256().update(bytes).digest() as Uint8Array<ArrayBuffer>;
}
