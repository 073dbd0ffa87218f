import { WebStandardStreamableHTTPServerTransport, type McpServer } from '@modelcontextprotocol/server';

interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** When it was last used, in milliseconds since 1970; `null` if never after its beginning. */
  readonly usedAt: number | null;
}

const idleSessionMs = 600_000;
const retryAfterSeconds = '60';

/** Sessions in memory, for clients of protocol 2025-11-25 and earlier. */
export class LegacySessions {
  readonly #makeServer: () => McpServer;
  readonly #most: number;
  /** Used longest ago first. */
  readonly #sessions = new Map<string, Session>();

  constructor(makeServer: () => McpServer, most: number) {
    this.#makeServer = makeServer;
    this.#most = most;
  }

  *servers(): Generator<McpServer> {
    for (const { server } of this.#sessions.values()) yield server;
  }

  async handle(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return await this.#begin(request);
    const known = this.#sessions.get(id);
    if (known === undefined) return refused(404, -32001, 'Session not found');
    this.#sessions.delete(id);
    this.#sessions.set(id, { ...known, usedAt: Date.now() });
    return await known.transport.handleRequest(request);
  }

  async close(): Promise<void> {
    for (const server of this.servers()) await server.close();
    this.#sessions.clear();
  }

  async #begin(request: Request): Promise<Response> {
    if (this.#sessions.size >= this.#most && !this.#makeRoom())
      return refused(503, -32000, 'Too many sessions. Try again later.', { 'retry-after': retryAfterSeconds });
    const server = this.#makeServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { server, transport, usedAt: null });
        // Others may have begun while this request was read.
        if (this.#sessions.size > this.#most) this.#makeRoom();
      },
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    // If no session began, the server is closed.
    if (transport.sessionId === undefined) void server.close();
    return response;
  }

  /** Closes the session that is missed least. `false` if each of them is in use. */
  #makeRoom(): boolean {
    const inOrder = [...this.#sessions];
    const least =
      inOrder.find(([, { usedAt }]) => usedAt === null) ??
      inOrder.find(([, { usedAt }]) => usedAt !== null && Date.now() - usedAt > idleSessionMs);
    if (least === undefined) return false;
    this.#sessions.delete(least[0]);
    void least[1].server.close();
    return true;
  }
}

function refused(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}
