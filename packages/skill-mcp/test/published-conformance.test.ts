import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import {
  testSkillProvider,
  type SkillLibraryFiles,
  type SkillProviderTestConfig,
  type SkillProviderUnderTest,
} from '@repertoire/skills-testkit/vitest';
import { mcpSkillProvider } from '../src/index.ts';
import { createMcpSkillsHandler, serveSkillsOverMcp } from '../src/server.ts';
import { changingProvider } from './support/changing-provider.ts';

const abilities = ['watch', 'dispose', 'versions', 'raw'] as const;
const options = { profile: 'lenient', ttlMs: 0, cacheScope: 'private' } as const;

testPublished({
  name: 'serveSkillsOverMcp and mcpSkillProvider, over an in-memory pair',
  abilities,
  trusted: false,
  create: async (files) => {
    const { provider, change } = changingProvider(files);
    const server = new McpServer({ name: 'ours', version: '1.0.0' });
    const published = await serveSkillsOverMcp(server, provider, options);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = new Client({ name: 'test-host', version: '1.0.0' });
    await client.connect(near);
    return {
      provider: mcpSkillProvider({ label: 'memory', client, profile: 'lenient', debounceMs: 1 }),
      change: async (next) => change(next),
      dispose: async () => {
        await published[Symbol.asyncDispose]();
        await client.close();
      },
    };
  },
});

testPublished({
  name: 'createMcpSkillsHandler over streamable HTTP, protocol 2026-07-28',
  abilities,
  trusted: false,
  create: (files) => overHttp(files, 'stateless', 'auto'),
});

testPublished({
  name: 'createMcpSkillsHandler over streamable HTTP, a session of 2025-11-25',
  abilities,
  trusted: false,
  create: (files) => overHttp(files, 'session', 'legacy'),
});

/** The suite, without what no publisher and no JSON can hold. */
function testPublished(config: SkillProviderTestConfig): void {
  testSkillProvider({
    ...config,
    name: `SRC-6, CON-4: ${config.name}`,
    knownFailures: [
      { id: 'list/diagnostics', reason: 'A broken skill never reaches a publisher, so no reader can report it.' },
      {
        id: 'list/other-fields',
        reason: 'The extension sends the frontmatter as JSON, where the number 1.10 that a file has without quotes is 1.1.',
      },
    ],
  });
}

async function overHttp(
  files: SkillLibraryFiles,
  legacy: 'session' | 'stateless',
  mode: 'auto' | 'legacy',
): Promise<SkillProviderUnderTest> {
  const { provider, change } = changingProvider(files);
  const handler = createMcpSkillsHandler(provider, { ...options, legacy });
  const client = new Client({ name: 'test-host', version: '1.0.0' }, { versionNegotiation: { mode } });
  const streams = new Streams();
  const transport = new StreamableHTTPClientTransport(new URL('https://skills.example/mcp'), {
    fetch: async (url, init) => streams.see(init?.method, await handler.fetch(new Request(url, init))),
  });
  await client.connect(transport);
  const read = mcpSkillProvider({ label: 'http', client, profile: 'lenient', debounceMs: 1 });
  return {
    provider: read,
    change: async (next) => {
      // A stream of notices is opened by a request, and what happens before is told to nobody.
      await streams.opened;
      change(next);
    },
    dispose: async () => {
      await client.close();
      await handler[Symbol.asyncDispose]();
    },
  };
}

/** Sees when the stream that notices come by is open: its first bytes, or in a session the answer to GET. */
class Streams {
  readonly opened: Promise<void>;
  #open: () => void = () => {};

  constructor() {
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  see(method: string | undefined, response: Response): Response {
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isStream && method === 'GET') this.#open();
    if (!isStream || response.body === null) return response;
    const seen = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          controller.enqueue(chunk);
          if (new TextDecoder().decode(chunk).includes('subscriptions/acknowledged')) setImmediate(this.#open);
        },
      }),
    );
    return new Response(seen, response);
  }
}
