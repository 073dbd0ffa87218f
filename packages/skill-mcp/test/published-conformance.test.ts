import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { withoutAbility } from './support/without-ability.ts';
import { skillProviderCases } from '@repertoire/skills-testkit';
import type { SkillLibraryFiles, SkillProviderTestConfig, SkillProviderUnderTest } from '@repertoire/skills-testkit/vitest';
import { describe, it } from 'vitest';
import { mcpSkillProvider } from '../src/index.ts';
import { createMcpSkillsHandler, publishSkills } from '../src/server.ts';
import { changingProvider } from './support/changing-provider.ts';

// A broken skill never reaches a publisher, so its reports cannot be asked for here; `conformance.test.ts` does.
const abilities = ['watch', 'dispose', 'versions'] as const;
const options = { profile: 'lenient', ttlMs: 0, cacheScope: 'private' } as const;

testPublished({
  name: 'publishSkills and mcpSkillProvider, over an in-memory pair',
  abilities,
  trusted: false,
  create: async (files) => {
    const { provider, change } = changingProvider(files);
    const server = new McpServer({ name: 'ours', version: '1.0.0' });
    const published = await publishSkills(server, provider, options);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = new Client({ name: 'test-host', version: '1.0.0' });
    await client.connect(near);
    return {
      provider: withoutAbility(mcpSkillProvider({ label: 'memory', client, profile: 'lenient', debounceMs: 1 }), 'diagnostics'),
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

/**
 * The suite, with one case turned round. A skill without a version beside others of its name that have one is listed by the contract, and can no longer be asked for; an entry
 * needs the digests of its files, so there can be none of it.
 */
function testPublished(config: SkillProviderTestConfig): void {
  describe(`SRC-6, CON-4: ${config.name}`, () => {
    for (const { id, title, run } of skillProviderCases(config)) (id === 'versions/order' ? it.fails : it)(title, { timeout: 30_000 }, run);
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
    provider: withoutAbility(read, 'diagnostics'),
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
