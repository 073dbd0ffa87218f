import { webFileReader } from '@repertoire/skill-http/internal';
import { SkillError } from '@repertoire/skills-core';
import type { ReadCardFile } from '@repertoire/skill-cards/provider';

/** Options of {@link webReader}. */
export interface WebReaderOptions {
  /** Origins that files may come from, such as `https://skills.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Makes the requests. @default the global `fetch` */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/**
 * Reads files of the allowed origins, with HTTP caching. Any other URL is treated as missing, and
 * so is every answer but a success. Redirects are not followed, because they could lead to another
 * origin.
 *
 * @throws {SkillError} `invalid-options` for an entry that is no origin
 */
export function webReader({ allowedOrigins, fetch }: WebReaderOptions): ReadCardFile {
  return webFileReader({ allowedOrigins: allowedOrigins.map(originOf), fetch, label: 'card' });
}

function originOf(written: string): string {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.origin === written.replace(/\/$/, '')) return url.origin;
  throw new SkillError(
    'invalid-options',
    `allowedOrigins has ${JSON.stringify(written)}, which is no origin. Give one such as "https://skills.example.com".`,
  );
}
