import { sha256 } from '@noble/hashes/sha2.js';

/**
 * Gives Temporal's sandbox the one part of Web Crypto that a session needs: SHA-256, of texts that
 * a model got. It is pure, so a replay computes the same. Where there is a Web Crypto, nothing is
 * done.
 */
export function provideSha256(): void {
  const sandbox = globalThis as { crypto?: unknown };
  sandbox.crypto ??= { subtle: { digest } };
}

async function digest(algorithm: string, bytes: Uint8Array): Promise<ArrayBuffer> {
  if (algorithm !== 'SHA-256') throw new Error(`Temporal's sandbox has no ${algorithm}. Compute it in an activity.`);
  return sha256(bytes).slice().buffer;
}
