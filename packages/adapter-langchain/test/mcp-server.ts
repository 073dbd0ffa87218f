/** An MCP server with two tools. `node mcp-server.ts stdio <file>` serves on its standard input, and writes its process id to the file. */
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';

function weatherServer(): McpServer {
  const server = new McpServer({ name: 'weather', version: '1.0.0' });
  server.registerTool('forecast', { description: 'Tells the weather.', inputSchema: { city: z.string() } }, async ({ city }) => ({
    content: [{ type: 'text', text: `${city}: rain` }],
  }));
  server.registerTool('search_docs', { description: 'Searches the weather service.', inputSchema: {} }, async () => ({
    isError: true,
    content: [{ type: 'text', text: 'The index is being rebuilt.' }],
  }));
  return server;
}

/** The same server over HTTP: `/mcp` is streamable HTTP, `/sse` the older transport. It counts the requests. */
export async function startHttpServer(): Promise<AsyncDisposable & { readonly url: string; readonly requests: () => number }> {
  let requests = 0;
  const streams = new Map<string, SSEServerTransport>();
  const server = createServer((request, response) => {
    requests += 1;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      streams.set(transport.sessionId, transport);
      void weatherServer().connect(transport);
      return;
    }
    if (pathname === '/messages') {
      void streams.get(searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response);
      return;
    }
    void respond(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answered = await answer(request);
  response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(Buffer.from(await answered.arrayBuffer()));
}

async function answer(incoming: IncomingMessage): Promise<Response> {
  const body = incoming.method === 'POST' ? await text(incoming) : undefined;
  const headers = new Headers(
    Object.entries(incoming.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : [])),
  );
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers,
    ...(body !== undefined && { body }),
  });
  // Without sessions: a server for each request.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await weatherServer().connect(transport);
  return transport.handleRequest(request);
}

const [mode, file] = process.argv.slice(2);
if (mode === 'stdio' && file !== undefined) {
  writeFileSync(file, String(process.pid));
  await weatherServer().connect(new StdioServerTransport());
}
