import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

/**
 * A program that is an MCP server and needs nothing but Node.js, so that it can lie in a plugin. `ledger` answers what it was started with; its second tool fails. It
 * writes a file into PLUGIN_DATA when it starts, and removes it when its standard input ends.
 */
export const ledgerProgram: string = `
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const running = process.env.PLUGIN_DATA + '/running';
writeFileSync(running, String(process.pid));
appendFileSync(process.env.PLUGIN_DATA + '/starts', '.');
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const schema = { type: 'object', properties: { account: { type: 'string' } }, required: ['account'] };
const about = () => JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), root: process.env.PLUGIN_ROOT, data: process.env.PLUGIN_DATA, mode: process.env.MODE, key: process.env.LEDGER_KEY });
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'server/discover' && process.env.MODE === 'older') process.exit(1);
  if (method === 'initialize') send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'ledger', version: '1.0.0' } } });
  else if (method === 'tools/list') send({ id, result: { tools: [{ name: 'ledger', description: 'Reads the ledger.', inputSchema: schema }, { name: 'erase', description: 'Erases it.', inputSchema: schema }] } });
  else if (method === 'tools/call' && params.name === 'ledger') send({ id, result: { content: [{ type: 'text', text: params.arguments.account + ' ' + about() }] } });
  else if (method === 'tools/call') send({ id, result: { isError: true, content: [{ type: 'text', text: 'The ledger cannot be erased.' }] } });
  else send({ id, error: { code: -32601, message: 'No such method' } });
}).on('close', () => { rmSync(running, { force: true }); process.exit(0); });
`;

/**
 * A server over HTTP, which keeps the headers of all requests. `/mcp` and `/sse` bring the tool `balance`; `/mcp/NAME` and `/sse/NAME` bring
 * the tool NAME, which tells the header `X-Tenant`. `/moved/NAME` redirects to `/mcp/NAME`; `/moved` redirects and `/sse-away` sends clients to
 * wherever it is told.
 */
export async function startHttpServer(
  movedTo: string = '',
): Promise<AsyncDisposable & { readonly url: string; readonly requests: IncomingHttpHeaders[] }> {
  const requests: IncomingHttpHeaders[] = [];
  const streams = new Map<string, SSEServerTransport>();
  const server = createServer((request, response) => {
    requests.push(request.headers);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const [, what = '', tool = ''] = pathname.split('/');
    if (what === 'moved') return void response.writeHead(307, { location: tool === '' ? movedTo : `/mcp/${tool}` }).end();
    if (what === 'sse-away')
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`event: endpoint\ndata: ${movedTo}\n\n`);
    if (what === 'sse') {
      const transport = new SSEServerTransport('/messages', response);
      streams.set(transport.sessionId, transport);
      return void ledgerServer(tool).connect(transport);
    }
    if (what === 'messages') return void streams.get(searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response);
    return void (async () => {
      const body: unknown = request.method === 'POST' ? JSON.parse(await text(request)) : undefined;
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      await ledgerServer(tool).connect(transport);
      await transport.handleRequest(request, response, body);
    })();
  });
  // A connection that nobody uses stays open: a busy client would send its next request into one that is just being closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function ledgerServer(tool: string): McpServer {
  const server = new McpServer({ name: 'ledger', version: '1.0.0' });
  const answer = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
  if (tool === '') {
    const inputSchema = { account: z.string() };
    server.registerTool('balance', { description: 'Tells a balance.', inputSchema }, async ({ account }) => answer(`${account}: 7`));
  } else {
    server.registerTool(tool, { description: 'Tells the tenant.' }, async ({ requestInfo }) =>
      answer(`tenant=${String(requestInfo?.headers['x-tenant'] ?? 'none')}`),
    );
  }
  return server;
}
