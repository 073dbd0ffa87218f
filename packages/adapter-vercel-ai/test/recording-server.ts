import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a client sent. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as text; bytes of files are not kept apart. */
  readonly text: string;
}

/** A server of this machine that keeps what it was sent, until the test is over. */
export interface RecordingServer {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
}

/** Starts one. `answer` gives the JSON of each request, or writes the answer itself and gives `undefined`. */
export async function recordingServer(
  answer: (request: RecordedRequest, index: number, response: ServerResponse) => unknown,
): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const text = await textOf(request);
      const recorded = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, text };
      const body = answer(recorded, requests.push(recorded) - 1, response);
      if (body === undefined) return;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
