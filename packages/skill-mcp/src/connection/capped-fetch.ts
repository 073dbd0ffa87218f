import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, numberOption, type OptionRules } from '@repertoire/skills-core/internal';

/** Options of {@link cappedFetch}. */
export interface CappedFetchOptions {
  /** Maximum bytes of one message of the server. @default 33_554_432 (32 MiB) */
  readonly maxMessageBytes?: number | undefined;
  /** Sends the requests. @default the platform's `fetch` */
  readonly fetch?: ((url: string | URL, init?: RequestInit) => Promise<Response>) | undefined;
}

const defaultMaxMessageBytes = 32 * 1024 * 1024;
const lineFeed = 10;
const carriageReturn = 13;

const knownOptions: OptionRules<CappedFetchOptions> = {
  maxMessageBytes: 'number',
  fetch: '()',
};

/**
 * Returns a `fetch` for HTTP transports of MCP that aborts a response as soon as one message in it
 * is too long: a whole JSON body, or one event of a stream. An MCP client reads a message to its
 * end before anyone can look at it, so this is the only place where its size can be limited.
 * Streams may stay open as long as they like.
 *
 * @throws {SkillError} `limit-exceeded` while the response is read, or immediately if it announces
 *   its length
 * @example
 * ```ts
 * import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
 * import { cappedFetch } from '@repertoire/skill-mcp';
 *
 * const client = new Client({ name: 'my-agent', version: '1.0.0' });
 * await client.connect(new StreamableHTTPClientTransport(new URL('https://crm.example/mcp'), { fetch: cappedFetch() }));
 * ```
 */
export function cappedFetch(options: CappedFetchOptions = {}): (url: string | URL, init?: RequestInit) => Promise<Response> {
  assertKnownOptions('cappedFetch', options, knownOptions);
  const { fetch: send = (url, init) => globalThis.fetch(url, init) } = options;
  const maxMessageBytes = numberOption('maxMessageBytes', options.maxMessageBytes, {
    of: 'cappedFetch',
    fallback: defaultMaxMessageBytes,
    least: 1,
  });
  return async (url, init) => {
    const response = await send(url, init);
    const { body, headers } = response;
    if (body === null) return response;
    if (Number(headers.get('content-length') ?? 0) > maxMessageBytes) {
      await body.cancel();
      throw tooLong(url, maxMessageBytes);
    }
    const isStream = headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
    const capped = body.pipeThrough(cap(isStream, maxMessageBytes, () => tooLong(url, maxMessageBytes)));
    const { status, statusText } = response;
    return new Response(capped, { status, statusText, headers });
  };
}

/** Counts the bytes of a message. In an event stream, a message ends at an empty line. */
function cap(isStream: boolean, most: number, error: () => SkillError): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of isStream ? chunk : []) {
        if (byte === lineFeed) {
          if (isLineEmpty) count = 0;
          isLineEmpty = true;
        } else if (byte !== carriageReturn) isLineEmpty = false;
        count += 1;
        if (count > most) break;
      }
      if (!isStream) count += chunk.length;
      if (count > most) controller.error(error());
      else controller.enqueue(chunk);
    },
  });
}

function tooLong(url: string | URL, most: number): SkillError {
  return new SkillError(
    'limit-exceeded',
    `[skill-mcp] A message from ${new URL(url).origin} is longer than ${most} bytes. Raise maxMessageBytes if it may be.`,
  );
}
