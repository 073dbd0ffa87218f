/** Keeps its providers and its handlers in the module, for all requests, as a Worker does that wants to read a list once. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { composeProviders, defineSkill, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { httpSkillProvider } from '@repertoire/skill-http';
import { createSkillsHandler, type SkillsHandler } from '@repertoire/skill-http/server';
import { mcpSkillProvider } from '@repertoire/skill-mcp';
import { createMcpSkillsHandler, type McpSkillsHandler } from '@repertoire/skill-mcp/server';

/** So long that who waits for what never comes is seen to hang. */
const timeoutMs = 10 * 60_000;

interface Kept {
  readonly provider: SkillProvider;
  readonly handler: SkillsHandler;
  readonly mcpHandler: McpSkillsHandler;
  readonly overMcp: SkillProvider;
}

/** By the site that they read. */
const kept = new Map<string, Kept>();

function keep(url: string, self: string): Kept {
  const remote = httpSkillProvider({ url, allowHttp: true, allowPrivateAddresses: true, minFreshMs: 0, timeoutMs, retries: 0 });
  const haiku = defineSkill({ name: 'haiku', description: 'Writes haiku.', body: 'Five, seven, five.' });
  let client: Client | undefined;
  /** One client for all requests; each sends its own. */
  async function connect(): Promise<Client> {
    if (client !== undefined) return client;
    const connected = new Client({ name: 'worker', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await connected.connect(new StreamableHTTPClientTransport(new URL(`/mcp?origin=${encodeURIComponent(url)}`, self)));
    return (client = connected);
  }
  const made: Kept = {
    provider: composeProviders([new SkillRegistry({ skills: [haiku] }), remote], { timeoutMs }),
    handler: createSkillsHandler(remote),
    mcpHandler: createMcpSkillsHandler(remote, { exposeTools: true }),
    overMcp: mcpSkillProvider({ client: connect, timeoutMs }),
  };
  kept.set(url, made);
  return made;
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams, pathname } = new URL(request.url);
    const origin = searchParams.get('origin') ?? '';
    const { provider, handler, mcpHandler, overMcp } = kept.get(origin) ?? keep(origin, request.url);
    if (pathname.startsWith('/.well-known/')) return await handler(request);
    if (pathname === '/mcp') return await mcpHandler.fetch(request);
    if (pathname === '/over-mcp') return Response.json((await overMcp.listSkills()).skills.map((skill) => skill.name));
    const name = searchParams.get('skill');
    if (name !== null) return Response.json((await provider.getSkill(name))?.body);
    const { skills, diagnostics } = await provider.listSkills();
    return Response.json({ names: skills.map((skill) => skill.name), diagnostics });
  },
};
