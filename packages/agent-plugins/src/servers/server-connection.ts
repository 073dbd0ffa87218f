import {
  Client,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { SkillError } from '@repertoire/skills-core';
import { boundedAnswer, boundedResponse, boundedTool, maxTools, type ListedTool, type ToolAnswer } from './bounded-answers.ts';
import { requestHeaders } from './request-headers.ts';
import type { PluginHttpServer } from '../read/plugin-server.ts';

/** The tools of a server, and how many more it listed that are beyond the limits. */
export interface ListedTools {
  readonly tools: readonly ListedTool[];
  readonly leftOut: number;
}

/** A server that says nothing for so long does not work. A call of a tool may take longer. */
const answersWithinMs = 10_000;

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

  async listTools(): Promise<ListedTools> {
    return await this.#with(async (client) => {
      // The client asks for all pages, up to a limit of its own.
      const listed = await client.listTools({}, { timeout: answersWithinMs, signal: AbortSignal.timeout(2 * answersWithinMs) });
      const tools = listed.tools.slice(0, maxTools).flatMap((each) => boundedTool(each) ?? []);
      return { tools, leftOut: listed.tools.length - tools.length };
    });
  }

  async callTool(name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal | undefined): Promise<ToolAnswer> {
    return await this.#with(async (client) =>
      boundedAnswer(await client.callTool({ name, arguments: { ...input } }, signal === undefined ? {} : { signal })),
    );
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
    try {
      // A server of an older protocol may end at the question for a newer one, and is started
      // again.
      const client = await this.#connectAs('auto').catch(async (error: unknown) => {
        if (!(error instanceof SdkError) || error.code !== SdkErrorCode.EraNegotiationFailed) throw error;
        return await this.#connectAs('legacy');
      });
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
      throw error;
    }
  }

  async #connectAs(mode: 'auto' | 'legacy'): Promise<Client> {
    const client = new Client(
      { name: 'repertoire', version: '1.0.0' },
      { versionNegotiation: { mode, probe: { timeoutMs: answersWithinMs / 2 } } },
    );
    try {
      await client.connect(await this.#transport(), { timeout: answersWithinMs });
      return client;
    } catch (error) {
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
    return boundedResponse(await fetch(target, { ...init, headers: requestHeaders(withSecrets, target.href, init.headers ?? {}) }));
  };
  const options = { fetch: guarded, redirectPolicy: 'same-origin' as const };
  const url = new URL(server.url);
  return server.type === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
}
