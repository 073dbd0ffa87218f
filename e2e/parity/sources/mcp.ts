import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpSkillsHandler } from '@repertoire/skill-mcp/server';
import { mcpLibrary } from './read-over-network.ts';
import { serve, type Served } from './serve.ts';
import type { ParitySource } from './source.ts';
import { inCodeLibrary, type ParityLibrary } from '@repertoire/skills-testkit/internal';

/** An MCP server, read by the official client over streamable HTTP. */
export const mcpSource: ParitySource = {
  name: 'mcp',
  async open(library) {
    const server = await serveOverMcp(library);
    const { provider, close } = await mcpLibrary(library, server.url);
    return {
      provider,
      async close() {
        await close();
        await server.close();
      },
    };
  },
};

export async function serveOverMcp(library: ParityLibrary): Promise<Served> {
  const handler = createMcpSkillsHandler(inCodeLibrary(library));
  const node = toNodeHandler(handler);
  const server = await serve((request, response) => void node(request as Parameters<typeof node>[0], response));
  return {
    url: server.url,
    async close() {
      await handler[Symbol.asyncDispose]();
      await server.close();
    },
  };
}
