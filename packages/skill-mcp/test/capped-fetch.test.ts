import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillRegistry } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { cappedFetch, mcpSkillProvider } from '../src/index.ts';
import { createMcpSkillsHandler } from '../src/server.ts';

function answering(parts: readonly string[], headers: Record<string, string>): ReturnType<typeof cappedFetch> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  return cappedFetch({ maxMessageBytes: 20, fetch: async () => new Response(stream, { headers }) });
}

const url = 'https://crm.example/mcp';
const events = { 'content-type': 'text/event-stream' };

describe('SRC-6: a fetch that bounds messages', () => {
  it('SRC-6: ends a body that is too long, announced or not', async () => {
    const short = await answering(['x'.repeat(20)], {})(url);
    expect(await short.text()).toHaveLength(20);
    const long = await answering(['x'.repeat(20), 'x'], {})(url);
    await expect(long.text()).rejects.toMatchObject({ code: 'limit-exceeded' });
    await expect(answering([], { 'content-length': '21' })(url)).rejects.toMatchObject({ code: 'limit-exceeded' });
  });

  it('SRC-6: bounds each event of a stream, and not the stream', async () => {
    const many = await answering(
      Array.from({ length: 50 }, () => 'data: 1\r\n\r\ndata: 2\n\n'),
      events,
    )(url);
    expect(await many.text()).toHaveLength(50 * 20);
    const one = await answering(['data: 1\n\n', 'data: ', 'x'.repeat(9), 'x'.repeat(9)], events)(url);
    await expect(one.text()).rejects.toMatchObject({ code: 'limit-exceeded' });
  });

  it('SRC-6: a file beyond the bound is an outage of that call, and the rest is served', async () => {
    const skills = [
      { name: 'bomb', description: 'D.', body: 'B.', resources: { 'huge.txt': 'x'.repeat(100_000) } },
      { name: 'haiku', description: 'D.', body: 'Count.' },
    ];
    const handler = createMcpSkillsHandler(new SkillRegistry({ skills }));
    const fetch = cappedFetch({ maxMessageBytes: 50_000, fetch: (input, init) => handler.fetch(new Request(input, init)) });
    const client = new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch }));
    const provider = mcpSkillProvider({ client });
    await expect(provider.readResource('bomb', 'huge.txt')).rejects.toMatchObject({ code: 'source-unavailable' });
    expect((await provider.getSkill('haiku'))?.body).toBe('Count.');
    await client.close();
  });
});
