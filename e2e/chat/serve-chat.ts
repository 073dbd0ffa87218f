import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Something that answers requests, at a port of this machine. */
export interface Served {
  readonly port: number;
  close(): void;
}

export async function serve(answer: (request: Request) => Promise<Response>): Promise<Served> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      try {
        const response = await answer(await requestOf(incoming));
        outgoing.writeHead(response.status, Object.fromEntries(response.headers));
        for await (const chunk of response.body ?? []) outgoing.write(chunk);
        outgoing.end();
      } catch {
        // As a browser sees a server that is lost.
        outgoing.destroy();
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming;
  const body = method === 'POST' ? { body: await buffer(Readable.from(incoming)) } : {};
  return new Request(new URL(url, 'http://shop'), { method, headers: headers as Record<string, string>, ...body });
}
