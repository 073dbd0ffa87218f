import { SkillError } from '../../errors/skill-error.ts';

/** The Web Crypto of the platform. Some have none: a page without HTTPS, the sandbox of a workflow engine. */
export function webCrypto(): SubtleCrypto | undefined {
  return (globalThis as { readonly crypto?: { readonly subtle?: SubtleCrypto } }).crypto?.subtle;
}

/**
 * SHA-256 in lower-case hex, by the Web Crypto of the platform. Text is hashed as UTF-8.
 *
 * @throws {SkillError} `unsupported` where the platform has no Web Crypto, such as a page that was not loaded by HTTPS
 * @example
 * ```ts
 * import { sha256Hex } from '@repertoire/skills-core/provider';
 *
 * export const empty: string = await sha256Hex(''); // 'e3b0c44298fc1c149afbf4c8996fb924…'
 * ```
 */
export async function sha256Hex(content: string | Uint8Array): Promise<string> {
  const subtle = webCrypto();
  if (subtle === undefined)
    throw new SkillError('unsupported', 'This platform has no Web Crypto, which digests need. In a browser, serve the page by HTTPS.');
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  // The platform refuses shared memory by itself; copying every file only to please the types would cost.
  const hash = new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  let hex = '';
  for (const byte of hash) hex += hexOf[byte];
  return hex;
}

const hexOf: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
