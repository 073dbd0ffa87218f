import { assertKnownOptions, type OptionRules, type SkillCardMcpServer } from '@repertoire/skills-core/internal';
import { createMCPClient, type MCPTransport } from '@ai-sdk/mcp';
import { ServerConnection, serversOfSkill } from '@repertoire/skill-mcp/internal';
import { SkillError, type SkillMetadata } from '@repertoire/skills-core';
import type { SkillCardStdioServer } from '@repertoire/skills-core/internal';
import type { ToolSet } from 'ai';
import type { AiSdkToolSource } from './tool-source.ts';

/** Options of {@link mcpTools}. */
export interface McpToolsOptions {
  /**
   * Starts servers that run as processes. Without it, such servers are reported and skipped. In
   * Node.js: `(server) => new Experimental_StdioMCPTransport({ ...server, args: [...server.args]
   * })`, from `@ai-sdk/mcp/mcp-stdio`.
   * @default none are started
   */
  readonly stdio?: ((server: SkillCardStdioServer) => MCPTransport) | undefined;
  /**
   * Whether a server of a skill may be contacted. Use it to allow only known hosts, since a card
   * may name any.
   * @default servers of trusted skills
   */
  readonly allow?: ((server: SkillCardMcpServer, skill: SkillMetadata) => boolean) | undefined;
  /**
   * Keeps each server's list of tools for the lifetime of this source. Later conversations then
   * connect only when they call such a tool. Create the source once, outside of the route. Changes
   * on the server are not noticed.
   * @default false: each conversation asks each server
   */
  readonly keepTools?: boolean | undefined;
  /** Sends the requests to remote servers. @default the runtime's `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const knownOptions: OptionRules<McpToolsOptions> = {
  stdio: '()',
  allow: '()',
  keepTools: 'boolean',
  fetch: '()',
};

/**
 * Offers the tools of the MCP servers that skills name in `mcps` of a skill card or frontmatter,
 * through `@ai-sdk/mcp`. Only trusted skills bring any. The servers are connected when
 * `aiSdkSkills` is called, and closed by `close()` of its result.
 *
 * @example
 * ```ts
 * import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
 * import { mcpTools } from '@repertoire/adapter-vercel-ai/mcp';
 * import type { Skillset } from '@repertoire/skills-core';
 * import { generateText, isStepCount, type LanguageModel } from 'ai';
 *
 * export async function answer(skillset: Skillset, model: LanguageModel, prompt: string): Promise<string> {
 *   await using skills = await aiSdkSkills(skillset, { toolSources: [mcpTools()] });
 *   const { text } = await generateText({ model, prompt, stopWhen: isStepCount(20), ...skills.agentSettings() });
 *   return text;
 * }
 * ```
 */
export function mcpTools(options: McpToolsOptions = {}): AiSdkToolSource {
  assertKnownOptions('mcpTools', options, knownOptions);
  const { stdio, allow, keepTools = false, fetch } = options;
  const kept = new Map<string, ToolSet>();
  return async (skill, { report, signal }) => {
    const servers = serversOfSkill(skill, { startsPrograms: stdio !== undefined, allow, report });
    if (servers.length === 0) return null;
    const connections: Connection[] = [];
    const close = async (): Promise<void> => {
      await Promise.all(connections.map((connection) => connection.release()));
    };
    const tools: ToolSet = {};
    try {
      for (const [key, server] of servers) {
        signal?.throwIfAborted();
        const connection: Connection = new ServerConnection(async () => connectTo(transportOf(server)), {
          idleMs: Number.POSITIVE_INFINITY,
        });
        connections.push(connection);
        const id = JSON.stringify(server);
        const known = keepTools ? kept.get(id) : undefined;
        const found = known === undefined ? await connection.use(async (client) => client.tools) : connectingTools(known, connection);
        if (keepTools && known === undefined) kept.set(id, found);
        // If two servers of one skill have a tool of the same name, the first one keeps it.
        for (const [name, tool] of Object.entries(found)) tools[name in tools ? `${key}__${name}` : name] = tool;
      }
    } catch (error) {
      await close();
      throw error;
    }
    return { tools, close };
  };

  function transportOf(server: SkillCardMcpServer): Transport {
    if (server.transport === 'stdio') return stdio?.(server) as MCPTransport;
    const { url, headers, transport } = server;
    return { type: transport === 'sse' ? 'sse' : 'http', url, headers: { ...headers }, ...(fetch !== undefined && { fetch }) };
  }
}

type Transport = Parameters<typeof createMCPClient>[0]['transport'];

type Connection = ServerConnection<{ readonly tools: ToolSet; close(): Promise<void> }>;

async function connectTo(transport: Transport): Promise<{ readonly tools: ToolSet; close(): Promise<void> }> {
  const client = await createMCPClient({ transport });
  try {
    return { tools: await client.tools(), close: () => client.close() };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Contacts the server when a tool of the kept list is called. */
function connectingTools(known: ToolSet, connection: Connection): ToolSet {
  return Object.fromEntries(
    Object.entries(known).map(([name, tool]) => {
      const execute: NonNullable<ToolSet[string]['execute']> = async (input, options) => {
        const live = await connection.use(async ({ tools }) => tools[name]);
        if (live?.execute === undefined)
          throw new SkillError('source-unavailable', `The server has no tool ${name} any more. Go on without it.`);
        return live.execute(input, options) as unknown;
      };
      return [name, { ...tool, execute } as ToolSet[string]];
    }),
  );
}
