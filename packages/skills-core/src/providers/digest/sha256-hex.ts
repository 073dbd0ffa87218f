import { SkillError } from '../../errors/skill-error.ts';
import { nodeBuiltin } from '../support/node-builtin.ts';

/** The Web Crypto of the platform. Some have none: a page without HTTPS, the sandbox of a workflow engine. */
export function webCrypto(): SubtleCrypto | undefined {
  return (globalThis as { readonly crypto?: { readonly subtle?: SubtleCrypto } }).crypto?.subtle;
}

/** Whether {@link sha256Hex} works here. */
export function canHash(): boolean {
  return nodeBuiltin('node:crypto').hash !== undefined || webCrypto() !== undefined;
}

/** What is hashed at once before others get their turn: about a millisecond. */
const bytesPerTurn = 524_288;
/** What a call costs besides its bytes. */
const callCost = 4_096;

let spent = 0;

/**
 * SHA-256 in lower-case hex. Text is hashed as UTF-8.
 *
 * Node hashes at once, as calls of Web Crypto cost eight times what hashing a small file does. What is large, and one call in a while, goes to the threads of Web Crypto all the
 * same, so that others get the event loop. Other platforms have Web Crypto alone.
 *
 * @throws {SkillError} `unsupported` where the platform has neither, such as a page that was not loaded by HTTPS
 * @example
 * ```ts
 * import { sha256Hex } from '@repertoire/skills-core/provider';
 *
 * export const empty: string = await sha256Hex(''); // 'e3b0c44298fc1c149afbf4c8996fb924…'
 * ```
 */
export async function sha256Hex(content: string | Uint8Array): Promise<string> {
  const { hash } = nodeBuiltin('node:crypto');
  spent += content.length + callCost;
  if (hash !== undefined && spent < bytesPerTurn) return hash('sha256', content, 'hex');
  spent = 0;
  const subtle = webCrypto();
  if (subtle === undefined) {
    if (hash !== undefined) return hash('sha256', content, 'hex');
    throw new SkillError('unsupported', 'This platform has no Web Crypto, which digests need. In a browser, serve the page by HTTPS.');
  }
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  // The platform refuses shared memory by itself; copying every file only to please the types would cost.
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
