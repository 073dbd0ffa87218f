import { SizedCache } from '@repertoire/skills-core/internal';
import { Flights } from '../http/flights.ts';
import { answerCache } from '../http/http-cache.ts';
import { HttpFailure, unwrapped } from '../http/http-failure.ts';
import { httpSkillSettings } from './http-skill-provider-options.ts';
import { readFile, type FileContext } from './read-file.ts';

/** Options of {@link webFileReader}. */
export interface WebFileReaderOptions {
  /** Sends a request. @default the platform's fetch */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Names the source in errors. */
  readonly label: string;
  /**
   * Origins that files may come from, and no others. The host has named each, so `http:` is meant.
   */
  readonly allowedOrigins: readonly string[];
}

const maxFileBytes = 64 * 1024 * 1024 + 1;

/**
 * Reads files of the web as the HTTP source does, for what is no library: a card and its files.
 * Answers are used for as long as the server says, at least a second, asked about by their ETag
 * after that, and serve while the server is down. Redirects are not followed, because they could
 * lead to another origin.
 *
 * @returns a function that answers `null` for any other origin, and for every answer but a success
 */
export function webFileReader({
  allowedOrigins,
  ...options
}: WebFileReaderOptions): (
  location: URL,
  options: { readonly maxBytes: number; readonly signal?: AbortSignal | undefined },
) => Promise<Uint8Array | null> {
  const [url] = allowedOrigins;
  if (url === undefined) return async () => null;
  const origins = new Set(allowedOrigins.map((origin) => new URL(origin).origin));
  const { http, rules, limits } = httpSkillSettings({
    ...options,
    url,
    allowedOrigins,
    allowHttp: true,
    allowPrivateAddresses: true,
    maxRedirects: 0,
    limits: { artifactBytes: maxFileBytes },
  });
  const context: FileContext = {
    http: { ...http, headers: () => new Headers() },
    rules,
    limits,
    flights: new Flights(),
    cache: answerCache(
      undefined,
      async () => '',
      () => undefined,
    ),
    waitUntil: () => undefined,
    scope: '',
    artifacts: new SizedCache(0),
    documents: new SizedCache(limits.memoryBytes),
  };
  return async (location, { maxBytes, signal }) => {
    if (!origins.has(location.origin)) return null;
    try {
      return (await readFile({ url: location.href, digest: undefined }, context, signal)).bytes.slice(0, maxBytes);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof HttpFailure && error.status !== undefined) return null;
      throw unwrapped(error);
    }
  };
}
