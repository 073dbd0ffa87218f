import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SkillError, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
import { isLoopback } from './is-loopback.ts';

/** How skills are served. */
export interface ServeOptions {
  readonly kind: 'http' | 'mcp-http' | 'mcp-stdio';
  readonly host: string;
  readonly port: number;
  /** Tools and prompts for MCP clients without the Skills extension. */
  readonly exposeTools: boolean;
  /** Is told how many skills were read, of how many, before the server listens. */
  readonly onProgress: (done: number, total: number) => void;
  /** Is told of each answer over HTTP, when it is sent. @default nobody is told */
  readonly onAnswer?: ((answer: ServedAnswer) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One answer over HTTP. */
export interface ServedAnswer {
  readonly method: string;
  /** Path and query, as they were asked for. */
  readonly path: string;
  readonly status: number;
}

/** A server's requests always have a method; the types of Node.js cover clients, too. */
type NodeRequest = IncomingMessage & { readonly method: string; readonly url: string };

/** A server that listens. */
export interface RunningServer extends AsyncDisposable {
  /** `null` for stdio. */
  readonly url: string | null;
  /** What is not published, and why. */
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Settles when clients can no longer reach it. Only stdio ends by itself. */
  readonly ended: Promise<void>;
}

interface Primed {
  readonly listener: RequestListener;
  readonly path: string;
  readonly diagnostics: readonly SkillDiagnostic[];
  dispose(): Promise<void>;
}

/**
 * Reads everything that is to be served, then listens.
 *
 * @throws {SkillError} `source-unavailable` where the address cannot be listened at
 */
export async function startServer(provider: SkillProvider, options: ServeOptions): Promise<RunningServer> {
  if (options.kind === 'mcp-stdio') return await startStdio(provider, options);
  const { listener, path, diagnostics, dispose } = await (options.kind === 'http'
    ? primeHttp(provider, options)
    : primeMcp(provider, options));
  const server = createServer(listener);
  const { onAnswer } = options;
  if (onAnswer !== undefined) server.prependListener('request', (request, response) => tellAnswer(request, response, onAnswer));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, options.host, resolve);
    });
  } catch (error) {
    await dispose();
    const what = `Nothing can listen at ${options.host}, port ${options.port}`;
    throw new SkillError('source-unavailable', `${what}: ${(error as Error).message}. Give another --port or --host.`, { cause: error });
  }
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}${path}`,
    diagnostics,
    ended: new Promise(() => undefined),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await dispose();
    },
  };
}

/** A client that goes away before its answer is whole counts as well. */
function tellAnswer(request: IncomingMessage, response: ServerResponse, onAnswer: (answer: ServedAnswer) => void): void {
  const { method = '', url = '' } = request;
  response.once('close', () => onAnswer({ method, path: url, status: response.statusCode }));
}

async function primeHttp(provider: SkillProvider, { host, onProgress, signal }: ServeOptions): Promise<Primed> {
  const { nodeListener } = await import('@repertoire/skill-http/node');
  const { createSkillsHandler } = await import('@repertoire/skill-http/server');
  // Without this check, pages of the web could read a local server through the browser.
  const isLocal = isLoopback(host);
  const handler = createSkillsHandler(provider, isLocal ? { cors: false } : {});
  await handler.prime({ onProgress, signal });
  const listener = nodeListener(handler);
  return {
    listener: isLocal ? await behindHostCheck(listener, host) : listener,
    path: '/',
    diagnostics: await handler.diagnostics(),
    dispose: async () => await handler[Symbol.asyncDispose](),
  };
}

/** Answers only if `Host` is a name of this machine, against DNS rebinding. */
async function behindHostCheck(listener: RequestListener, host: string): Promise<RequestListener> {
  const { hostHeaderValidation } = await import('@modelcontextprotocol/node');
  const isHostAllowed = hostHeaderValidation(namesOf(host));
  return (request, response) => {
    if (isHostAllowed(request, response)) listener(request, response);
  };
}

function namesOf(host: string): string[] {
  return [...new Set(['localhost', '127.0.0.1', '[::1]', host.includes(':') ? `[${host}]` : host])];
}

async function primeMcp(provider: SkillProvider, { host, exposeTools, onProgress, signal }: ServeOptions): Promise<Primed> {
  const { hostHeaderValidation, originValidation, toNodeHandler } = await import('@modelcontextprotocol/node');
  const { createMcpSkillsHandler } = await import('@repertoire/skill-mcp/server');
  const handler = createMcpSkillsHandler(provider, { exposeTools, legacy: 'session' });
  await handler.prime({ onProgress, signal });
  const listener = toNodeHandler(handler);
  // A page in a browser could reach this server by a name that leads to this machine.
  const allowed = namesOf(host);
  const [isHostAllowed, isOriginAllowed] = [hostHeaderValidation(allowed), originValidation(allowed)];
  return {
    listener: (request, response) => {
      if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
      if (request.url?.split('?', 1)[0] === '/mcp') void listener(request as NodeRequest, response);
      else response.writeHead(404).end();
    },
    path: '/mcp',
    diagnostics: await handler.diagnostics(),
    dispose: async () => await handler[Symbol.asyncDispose](),
  };
}

async function startStdio(provider: SkillProvider, { exposeTools, onProgress, signal }: ServeOptions): Promise<RunningServer> {
  const { McpServer } = await import('@modelcontextprotocol/server');
  const { StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const { serveSkillsOverMcp } = await import('@repertoire/skill-mcp/server');
  const server = new McpServer({ name: 'repertoire', version: '0.0.0' });
  const served = await serveSkillsOverMcp(server, provider, { exposeTools });
  await served.prime({ onProgress, signal });
  const diagnostics = await served.diagnostics();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  process.stdin.once('close', resolve);
  process.stdin.once('end', resolve);
  await server.connect(new StdioServerTransport());
  return {
    url: null,
    diagnostics,
    ended,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await server.close();
    },
  };
}
