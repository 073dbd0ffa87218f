import { Client, SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { SkillError } from '@repertoire/skills-core';
import { isShallow } from '@repertoire/skills-core/internal';
import { requestHeaders } from './request-headers.ts';
import type { PluginHttpServer } from '../read/plugin-server.ts';

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** What a tool answered. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

const maxTools = 1_000;
const maxSchemaCharacters = 100_000;

/** A connection that is opened at first use, and closed when it is idle or on request. */
export class ServerConnection {
  readonly #transport: () => Promise<Transport>;
  readonly #idleMs: number;
  readonly #told: { readonly opened: () => void; readonly closed: () => void };
  #client: Promise<Client> | null = null;
  #uses = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(transport: () => Promise<Transport>, idleMs: number, told: { readonly opened: () => void; readonly closed: () => void }) {
    this.#transport = transport;
    this.#idleMs = idleMs;
    this.#told = told;
  }

  async listTools(): Promise<readonly ListedTool[]> {
    return await this.#with(async (client) => {
      const tools: ListedTool[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        for (const { name, description = '', inputSchema } of page.tools) {
          const isBounded = isShallow(inputSchema) && JSON.stringify(inputSchema).length <= maxSchemaCharacters;
          if (isBounded && tools.length < maxTools) tools.push({ name, description, inputSchema });
        }
        cursor = page.nextCursor === cursor ? undefined : page.nextCursor;
      } while (cursor !== undefined && tools.length < maxTools);
      return tools;
    });
  }

  async callTool(name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal | undefined): Promise<ToolAnswer> {
    return await this.#with(async (client) => {
      const { content, structuredContent, isError } = await client.callTool(
        { name, arguments: { ...input } },
        signal === undefined ? {} : { signal },
      );
      const texts = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`));
      const text = texts.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : texts.join('\n');
      return { text, isError: isError === true };
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    if (client === null) return;
    const open = await client.catch(() => null);
    if (open === null) return;
    await open.close().catch(() => undefined);
    this.#told.closed();
  }

  async #with<Value>(work: (client: Client) => Promise<Value>): Promise<Value> {
    clearTimeout(this.#timer);
    this.#uses += 1;
    try {
      return await work(await (this.#client ??= this.#connect()));
    } finally {
      this.#uses -= 1;
      if (this.#uses === 0 && this.#client !== null) this.#rest();
    }
  }

  #rest(): void {
    const timer: unknown = setTimeout(() => void this.close(), this.#idleMs);
    this.#timer = timer as ReturnType<typeof setTimeout>;
    // An idle connection must not keep the process alive.
    if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') timer.unref();
  }

  async #connect(): Promise<Client> {
    const client = new Client({ name: 'repertoire', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    try {
      await client.connect(await this.#transport());
      // A server that ends is started again by the next use.
      Object.assign(client, {
        onclose: () => {
          if (this.#client !== null) this.#told.closed();
          this.#client = null;
        },
      });
      this.#told.opened();
      return client;
    } catch (error) {
      this.#client = null;
      await client.close().catch(() => undefined);
      throw error;
    }
  }
}

/** Headers of the plugin go to its origin only, and redirects elsewhere are not followed. */
export function remoteTransport(
  server: PluginHttpServer,
  secrets: Readonly<Record<string, string>>,
  fetch: typeof globalThis.fetch,
): Transport {
  const withSecrets = { ...server, headers: { ...server.headers, ...secrets } };
  const guarded = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const target = new URL(input instanceof Request ? input.url : input);
    if (target.origin !== new URL(server.url).origin)
      throw new SkillError(
        'permission-denied',
        `A server of a plugin asked for a request to another origin (${target.origin}), which is not sent.`,
      );
    return await fetch(target, { ...init, headers: requestHeaders(withSecrets, target.href, init.headers ?? {}) });
  };
  const options = { fetch: guarded, redirectPolicy: 'same-origin' as const };
  const url = new URL(server.url);
  return server.type === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
}
