/** Both ends of skill-mcp in one Worker: runs the conformance suite over an in-memory pair and over the fetch handler, and tells what failed. */
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { mcpSkillProvider } from '@repertoire/skill-mcp';
import { createMcpSkillsHandler, serveSkillsOverMcp } from '@repertoire/skill-mcp/server';
import { SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { groupBySkillDirectory, skillProviderCases, type SkillLibraryFiles, type SkillProviderUnderTest } from '@repertoire/skills-testkit';

const options = { profile: 'lenient', ttlMs: 0 } as const;

const worker = {
  async fetch(): Promise<Response> {
    const results = [];
    for (const [name, create] of [
      ['in memory', inMemory],
      ['by fetch', byFetch],
    ] as const) {
      const failed: string[] = [];
      const cases = skillProviderCases({ name, create, abilities: ['dispose', 'versions', 'raw'], trusted: false });
      for (const { id, run } of cases) await run().catch((error: unknown) => failed.push(`${id}: ${String(error)}`));
      results.push({ name, passed: cases.length - failed.length, failed });
    }
    return Response.json(results);
  },
};
export default worker;

async function inMemory(files: SkillLibraryFiles): Promise<SkillProviderUnderTest> {
  const server = new McpServer({ name: 'worker', version: '1.0.0' });
  await serveSkillsOverMcp(server, provide(files), options);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'worker', version: '1.0.0' });
  await client.connect(near);
  return { provider: reader(client), dispose: () => client.close() };
}

async function byFetch(files: SkillLibraryFiles): Promise<SkillProviderUnderTest> {
  const handler = createMcpSkillsHandler(provide(files), options);
  const client = new Client({ name: 'worker', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL('https://skills.example/mcp'), { fetch }));
  return { provider: reader(client), dispose: () => client.close() };
}

/** What cannot be shown with a library that never changes and has no broken skills is left out. */
function reader(client: Client): SkillProvider {
  const { watch: _watch, ...rest } = mcpSkillProvider({ client, profile: 'lenient' });
  return rest;
}

function provide(files: SkillLibraryFiles): SkillProvider {
  const skills = [...groupBySkillDirectory(files)].map(([directoryName, group]) => skillFromFiles(group, { directoryName }).definition);
  return new SkillRegistry({ skills: skills.filter((skill) => skill !== null) });
}
