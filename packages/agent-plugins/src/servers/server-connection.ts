import {
  Client,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { cappedFetch } from '@repertoire/skill-mcp';
import { SkillError } from '@repertoire/skills-core';
import { boundedTool, maxAnswerBytes, maxTools, type ListedTool } from './bounded-answers.ts';
import { requestHeaders } from './request-headers.ts';
import type { PluginHttpServer } from '../read/plugin-server.ts';

/** The tools of a server, and how many more it listed that are beyond the limits. */
export interface ListedTools {
  readonly tools: readonly ListedTool[];
  readonly leftOut: number;
}

/** A server that says nothing for so long does not work. A call of a tool may take longer. */
const answersWithinMs = 10_000;

/** Asks a server for its tools, up to a limit. */
export async function listTools(client: Client): Promise<ListedTools> {
  // The client asks for all pages, up to a limit of its own.
  const listed = await client.listTools({}, { timeout: answersWithinMs, signal: AbortSignal.timeout(2 * answersWithinMs) });
  const tools = listed.tools.slice(0, maxTools).flatMap((each) => boundedTool(each) ?? []);
  return { tools, leftOut: listed.tools.length - tools.length };
}

/** Connects to a server, with the newest protocol that it speaks. */
export async function connect(transport: () => Promise<Transport>, ended: () => void): Promise<Client> {
  // A server of an older protocol may end at the question for a newer one, and is started again.
  const client = await connectAs('auto', transport).catch(async (error: unknown) => {
    if (!(error instanceof SdkError) || error.code !== SdkErrorCode.EraNegotiationFailed) throw error;
    return await connectAs('legacy', transport);
  });
  return Object.assign(client, { onclose: ended });
}

async function connectAs(mode: 'auto' | 'legacy', transport: () => Promise<Transport>): Promise<Client> {
  const client = new Client(
    { name: 'repertoire', version: '1.0.0' },
    { versionNegotiation: { mode, probe: { timeoutMs: answersWithinMs / 2 } } },
  );
  try {
    await client.connect(await transport(), { timeout: answersWithinMs });
    return client;
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
}

/** Headers of the plugin go to its origin only, and redirects elsewhere are not followed. */
export function remoteTransport(
  server: PluginHttpServer,
  secrets: Readonly<Record<string, string>>,
  fetch: typeof globalThis.fetch,
): Transport {
  const withSecrets = { ...server, headers: { ...server.headers, ...secrets } };
  const capped = cappedFetch({ maxMessageBytes: maxAnswerBytes, fetch });
  const guarded = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const target = new URL(input instanceof Request ? input.url : input);
    if (target.origin !== new URL(server.url).origin)
      throw new SkillError(
        'permission-denied',
        `A server of a plugin asked for a request to another origin (${target.origin}), which is not sent.`,
      );
    return capped(target, { ...init, headers: requestHeaders(withSecrets, target.href, init.headers ?? {}) });
  };
  const options = { fetch: guarded, redirectPolicy: 'same-origin' as const };
  const url = new URL(server.url);
  return server.type === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
}
