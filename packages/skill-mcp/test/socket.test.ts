import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { digestOfSkill } from '@repertoire/skills-core/provider';
import { everydayLibrary } from '../../skills-testkit/src/fixtures/everyday-library.ts';
import { describe, expect, it } from 'vitest';
import { cappedFetch, mcpSkillProvider } from '../src/index.ts';
import { createMcpSkillsHandler, type McpSkillsHandlerOptions } from '../src/server.ts';
import { changingProvider } from './support/changing-provider.ts';

describe('SRC-6: over a socket of Node.js', () => {
  it.each<[McpSkillsHandlerOptions['legacy'], 'auto' | 'legacy', string]>([
    ['stateless', 'auto', '2026-07-28'],
    ['stateless', 'legacy', '2025-11-25'],
    ['session', 'legacy', '2025-11-25'],
  ])('SRC-6: a %s server and a client in mode %s read the same by protocol %s', async (legacy, mode, version) => {
    const { provider } = changingProvider(everydayLibrary);
    const handler = createMcpSkillsHandler(provider, { legacy });
    const node = toNodeHandler(handler);
    const http = createServer((request, response) => void node(request as Parameters<typeof node>[0], response));
    await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
    const client = new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode } });
    const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { fetch: cappedFetch() }));
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const read = mcpSkillProvider({ client });
    const names = (await provider.listSkills()).skills.map(({ name }) => name);
    expect((await read.listSkills()).skills.map(({ name }) => name)).toEqual(names);
    for (const name of names) expect(await digestOfSkill(read, name)).toEqual(await digestOfSkill(provider, name));
    await client.close();
    await handler[Symbol.asyncDispose]();
    http.closeAllConnections();
    await new Promise((resolve) => void http.close(resolve));
  });
});
