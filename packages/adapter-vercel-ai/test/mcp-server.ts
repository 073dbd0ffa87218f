import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/** A real MCP server over HTTP, with sessions, so that a client that closes is seen to. */
export interface TestMcpServer {
  readonly url: string;
  /** Sessions that are open now. */
  readonly sessions: ReadonlySet<string>;
  readonly opened: () => number;
  readonly calls: readonly unknown[];
}

export async function mcpServer(): Promise<TestMcpServer> {
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const sessions = new Set<string>();
  const calls: unknown[] = [];
  let opened = 0;

  const connect = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      sessionIdGenerator: () => `session-${(opened += 1)}`,
      onsessioninitialized: (id) => {
        sessions.add(id);
        transports.set(id, transport);
      },
      onsessionclosed: (id) => {
        sessions.delete(id);
      },
    });
    const server = new McpServer({ name: 'weather', version: '1.0.0' });
    server.registerTool('forecast', { description: 'Tells the weather.', inputSchema: { city: z.string() } }, ({ city }) => {
      calls.push(city);
      return { content: [{ type: 'text', text: `Sun in ${city}.` }] };
    });
    await server.connect(transport);
    return transport;
  };

  const server = createServer((request, response) => {
    void (async () => {
      const id = String(request.headers['mcp-session-id'] ?? '');
      const transport = transports.get(id) ?? (await connect());
      const answer = await transport.handleRequest(
        new Request(`http://127.0.0.1${request.url}`, {
          method: request.method!,
          headers: request.headers as Record<string, string>,
          ...(request.method === 'POST' && { body: await new Response(Readable.toWeb(request) as ReadableStream).text() }),
        }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body === null) response.end();
      else Readable.fromWeb(answer.body as never).pipe(response);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, sessions, opened: () => opened, calls };
}
