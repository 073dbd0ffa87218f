import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nodeListener } from '../../src/node.ts';

/** A server on loopback. */
export interface LocalServer {
  readonly url: string;
  readonly server: Server;
  close(): Promise<void>;
}

/** Serves a handler over a real socket. */
export async function serve(handler: (request: Request) => Promise<Response>): Promise<LocalServer> {
  return await listen(createServer(nodeListener(handler)));
}

/** Begins to listen on a port that is free. */
export async function listen(server: Server): Promise<LocalServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}
