import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** The used part of an `IncomingMessage`, so that types of Node.js are not needed. */
export interface NodeRequest {
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The used part of a `ServerResponse`. */
export interface NodeResponse {
  readonly headersSent: boolean;
  on(event: 'close', listener: () => void): unknown;
  writeHead(status: number, headers?: Record<string, string>): unknown;
  end(): unknown;
  destroy(): unknown;
}

/** A name or an address, and a port: with `/`, `?` or `#` a client would choose the path. */
const isHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Turns a fetch handler into a listener of `node:http`. It passes on no request body, because
 * handlers of skills need none. A request whose `Host` is not a name or an address is answered with
 * 400.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { SkillRegistry } from '@repertoire/skills-core';
 * import { nodeListener } from '@repertoire/skill-http/node';
 * import { createSkillsHandler } from '@repertoire/skill-http/server';
 *
 * createServer(nodeListener(createSkillsHandler(new SkillRegistry()))).listen(8080);
 * ```
 */
export function nodeListener(handler: (request: Request) => Promise<Response>): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    respond(handler, request, response).catch(() => {
      // After the headers were sent, only a closed connection can report the error.
      if (response.headersSent) response.destroy();
      else {
        response.writeHead(500);
        response.end();
      }
    });
  };
}

async function respond(handler: (request: Request) => Promise<Response>, incoming: NodeRequest, outgoing: NodeResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  const request = requestOf(incoming, gone.signal);
  if (request === null) {
    outgoing.writeHead(400);
    outgoing.end();
    return;
  }
  const response = await handler(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing as ServerResponse);
}

function requestOf({ url = '/', method = 'GET', headers }: NodeRequest, signal: AbortSignal): Request | null {
  const host = String(headers['host'] ?? 'localhost');
  if (!isHost.test(host)) return null;
  // A path of `//host` would name another host.
  const target = `http://${host}${url.startsWith('/') ? url : '/'}`;
  const list = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
  );
  try {
    return new Request(target, { method, headers: list, signal });
  } catch {
    // A method that `Request` refuses (CONNECT, TRACE), or an invalid host.
    return null;
  }
}
