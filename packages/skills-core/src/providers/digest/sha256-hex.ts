import { nodeBuiltin } from '../support/node-builtin.ts';
import { nextTurn } from '../support/pace.ts';
import { toHex } from '../support/to-hex.ts';
import { sha256 } from '@noble/hashes/sha2.js';

/**
 * The Web Crypto of the platform. Some have none: a page without HTTPS, the sandbox of a workflow
 * engine.
 */
export function webCrypto(): SubtleCrypto | undefined {
  return (globalThis as { readonly crypto?: { readonly subtle?: SubtleCrypto } }).crypto?.subtle;
}

/** What is hashed at once before others get their turn: about a millisecond. */
const bytesPerTurn = 524_288;
/** What a call costs besides its bytes. */
const callCost = 4_096;

/**
 * Hashed in this turn, as far as is known. A number and no promise: in Workers, no request may wait
 * for what another one started.
 */
let spent = 0;

/**
 * Computes SHA-256 in lower-case hex. Text is hashed as UTF-8.
 *
 * Node hashes by itself, as calls of Web Crypto cost eight times what hashing a small file does.
 * What is large goes to the threads of Web Crypto all the same, and who hashes much gives others
 * their turn. Other platforms have Web Crypto alone.
 *
 * @throws {TypeError} for shared memory, which another thread may change
 * @example
 * ```ts
 * import { sha256Hex } from '@repertoire/skills-core/provider';
 *
 * export const empty: string = await sha256Hex(''); // 'e3b0c44298fc1c149afbf4c8996fb924…'
 * ```
 */
export async function sha256Hex(content: string | Uint8Array): Promise<string> {
  const { hash } = nodeBuiltin('node:crypto');
  // Web Crypto refuses shared memory, which another thread may change after it was verified. Node
  // would take it.
  const isOwn = typeof content === 'string' || content.buffer instanceof ArrayBuffer;
  const subtle = hash !== undefined && isOwn && content.length < bytesPerTurn ? undefined : webCrypto();
  if (subtle !== undefined) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    // The type allows shared memory, which Web Crypto refuses by itself. A copy would cost.
    return toHex(new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)));
  }
  // Some platforms have no Web Crypto: a page without HTTPS, the sandbox of a workflow engine.
  if (hash === undefined && !isOwn)
    throw new TypeError('sha256Hex does not take shared memory, which another thread may change. Copy it first.');
  if (hash === undefined) return toHex(sha256(typeof content === 'string' ? new TextEncoder().encode(content) : content));
  // First, so that it is of the bytes as they are at the call.
  const digest = hash('sha256', content, 'hex');
  spent += content.length + callCost;
  if (spent >= bytesPerTurn) {
    spent = 0;
    await nextTurn();
  }
  return digest;
}
