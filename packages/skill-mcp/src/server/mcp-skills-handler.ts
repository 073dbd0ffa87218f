import { createMcpHandler, isLegacyRequest, McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { SkillDiagnostic, SkillProvider } from '@repertoire/skills-core';
import { assertKnownOptions } from '@repertoire/skills-core/internal';
import type { PrimeOptions } from './prime-options.ts';
import { knownServeOptions, type ServeSkillsOverMcpOptions } from './serve-skills-over-mcp-options.ts';
import { SkillPublisher } from './skill-publisher.ts';

/** Options of {@link createMcpSkillsHandler}. */
export interface McpSkillsHandlerOptions extends ServeSkillsOverMcpOptions {
  /** Name and version that the server reports. @default { name: 'skills', version: '0.0.0' } */
  readonly serverInfo?: { readonly name: string; readonly version: string } | undefined;
  /**
   * What clients of protocol 2025-11-25 and earlier get. `stateless`: each request is independent
   * and there are no notifications; use it if requests of one client reach different machines.
   * `session`: a session in memory, with notifications. Clients of 2026-07-28 need no session and
   * subscribe to changes in both modes.
   * @default 'stateless'
   */
  readonly legacy?: 'stateless' | 'session' | undefined;
  /**
   * Maximum number of sessions. Beyond it, the least recently used one is closed.
   * @default 1_000
   */
  readonly maxSessions?: number | undefined;
}

/** A handler for streamable HTTP, in the form of the Fetch API. */
export interface McpSkillsHandler {
  /** Handles a request. The handler can be the default export of a Worker. */
  fetch(request: Request): Promise<Response>;
  /** Notifies clients of a change, for a provider without `watch`. */
  changed(): void;
  /**
   * Reads everything that is published, so that no client has to wait. Call it before the server
   * listens.
   *
   * @throws {SkillError} if the provider does not answer
   */
  prime(options?: PrimeOptions): Promise<void>;
  /** Diagnostics for everything that is not published. */
  diagnostics(): Promise<readonly SkillDiagnostic[]>;
  /** Closes all sessions and subscriptions, and stops watching the provider. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

const defaultMaxSessions = 1_000;
const knownOptions: Readonly<Record<keyof McpSkillsHandlerOptions, true>> = {
  ...knownServeOptions,
  serverInfo: true,
  legacy: true,
  maxSessions: true,
};

/**
 * Publishes the skills of any provider over streamable HTTP, for both eras of the protocol. It runs
 * in Node.js (with `toNodeHandler` of `@modelcontextprotocol/node`), Workers, Deno and Bun.
 *
 * It does not authenticate. Put your own check before it. For a server on a developer's machine,
 * also check `Host` and `Origin`, as the SDK does.
 *
 * @throws {SkillError} `invalid-options`
 * @example A Worker
 * ```ts
 * import { createMcpSkillsHandler } from '@repertoire/skill-mcp/server';
 * import { defineSkill, inCodeSkillProvider } from '@repertoire/skills-core';
 *
 * const provider = inCodeSkillProvider([defineSkill({ name: 'haiku', description: 'Writes haiku.', body: 'Five, seven, five.' })]);
 * export default createMcpSkillsHandler(provider, { exposeTools: true });
 * ```
 */
export function createMcpSkillsHandler(provider: SkillProvider, options: McpSkillsHandlerOptions = {}): McpSkillsHandler {
  assertKnownOptions('createMcpSkillsHandler', options, knownOptions);
  const publisher = new SkillPublisher(provider, options, 'createMcpSkillsHandler');
  const serverInfo = options.serverInfo ?? { name: 'skills', version: '0.0.0' };
  const maxSessions = options.maxSessions ?? defaultMaxSessions;
  const sessions = new Map<string, Session>();

  const makeServer = (): McpServer => {
    const server = new McpServer({ ...serverInfo });
    publisher.attachAlone(server);
    return server;
  };
  const handler = createMcpHandler(makeServer);

  // It watches from the first request on, because a Worker module must not start work at the top
  // level.
  let forget: (() => void) | undefined;
  const tell = (): void => {
    handler.notify.resourcesChanged();
    if (publisher.exposesTools) handler.notify.promptsChanged();
    for (const { server } of sessions.values()) {
      // A session may end at any moment; then there is nobody to notify.
      void Promise.resolve(server.server.sendResourceListChanged()).catch(() => {});
      if (publisher.exposesTools) void Promise.resolve(server.server.sendPromptListChanged()).catch(() => {});
    }
  };

  async function session(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : sessions.get(id);
    if (id !== null && known !== undefined) {
      // Moved to the end: the first entry of the map is the least recently used one.
      sessions.delete(id);
      sessions.set(id, known);
      return await known.transport.handleRequest(request);
    }
    if (id !== null)
      return Response.json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }, { status: 404 });
    const server = makeServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (newId) => {
        sessions.set(newId, { server, transport });
        for (const [oldest, { server: old }] of sessions) {
          if (sessions.size <= maxSessions) break;
          sessions.delete(oldest);
          void old.close();
        }
      },
      onsessionclosed: (closedId) => void sessions.delete(closedId),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    // If no session began, the server is closed.
    if (transport.sessionId === undefined) void server.close();
    return response;
  }

  return {
    async fetch(request) {
      forget ??= publisher.onChange(tell);
      return options.legacy === 'session' && (await isLegacyRequest(request)) ? await session(request) : await handler.fetch(request);
    },
    changed: () => publisher.changed(),
    prime: (primeOptions) => publisher.prime(primeOptions),
    diagnostics: () => publisher.diagnostics(),
    async [Symbol.asyncDispose]() {
      forget?.();
      for (const { server } of sessions.values()) await server.close();
      sessions.clear();
      await handler.close();
    },
  };
}
