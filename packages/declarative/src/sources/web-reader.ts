import { SkillError } from '@repertoire/skills-core';
import { concatBytes } from '@repertoire/skills-core/internal';
import type { ReadCardFile } from './skill-card-provider.ts';

/** Options of {@link webReader}. */
export interface WebReaderOptions {
  /** Origins that files may come from, such as `https://skills.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Makes the requests. @default the global `fetch` */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/**
 * Reads files of the allowed origins. Any other URL is treated as missing, and so is every answer
 * but a success. Redirects are not followed, because they could lead to another origin.
 *
 * @throws {SkillError} `invalid-options` for an entry that is no origin
 */
export function webReader({ allowedOrigins, fetch = (request) => globalThis.fetch(request) }: WebReaderOptions): ReadCardFile {
  const origins = new Set(allowedOrigins.map(originOf));
  return async (location, { maxBytes, signal }) => {
    if (!origins.has(location.origin)) return null;
    const response = await fetch(new Request(location, { redirect: 'manual', ...(signal !== undefined && { signal }) }));
    if (response.ok) return await start(response, maxBytes);
    await response.body?.cancel();
    return null;
  };
}

function originOf(written: string): string {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.origin === written.replace(/\/$/, '')) return url.origin;
  throw new SkillError(
    'invalid-options',
    `allowedOrigins has ${JSON.stringify(written)}, which is no origin. Give one such as "https://skills.example.com".`,
  );
}

/** The first bytes of a body. The rest is not downloaded. */
async function start(response: Response, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.length;
    if (length >= maxBytes) break;
  }
  return concatBytes(parts).subarray(0, maxBytes);
}
