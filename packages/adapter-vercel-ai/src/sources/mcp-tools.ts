import { assertKnownOptions, type OptionRules, type SkillCardMcpServer } from '@repertoire/skills-core/internal';
import { createMCPClient, type MCPClient, type MCPTransport } from '@ai-sdk/mcp';
import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { cardToolsOf } from '@repertoire/skills-core/adapter';
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
 * Tools of the MCP servers that skills name in `mcps` of a skill card or frontmatter, through
 * `@ai-sdk/mcp`. Only trusted skills bring any. The servers are connected when `aiSdkSkills` is
 * called, and closed by `close()` of its result.
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
  const { stdio, allow = () => true, keepTools = false, fetch } = options;
  const kept = new Map<string, ToolSet>();
  return async (skill, { report, signal }) => {
    const { mcps, diagnostics } = cardToolsOf(skill);
    for (const diagnostic of diagnostics) report(diagnostic);
    const servers = skill.origin?.trusted === true ? Object.entries(mcps).filter(([, server]) => allow(server, skill)) : [];
    if (servers.length === 0) return null;
    const connections: Connection[] = [];
    const close = async (): Promise<void> => {
      await Promise.all(connections.map((connection) => connection.close()));
    };
    const tools: ToolSet = {};
    try {
      for (const [key, server] of servers) {
        signal?.throwIfAborted();
        const transport = transportOf(server);
        if (transport === null) {
          report(cannotStart(key, skill));
          continue;
        }
        const connection = connectionTo(transport);
        connections.push(connection);
        const id = JSON.stringify(server);
        const known = keepTools ? kept.get(id) : undefined;
        const found = known === undefined ? await connection.tools() : connectingTools(known, connection);
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

  function transportOf(server: SkillCardMcpServer): Transport | null {
    if (server.transport === 'stdio') return stdio?.(server) ?? null;
    const { url, headers, transport } = server;
    return { type: transport === 'sse' ? 'sse' : 'http', url, headers: { ...headers }, ...(fetch !== undefined && { fetch }) };
  }
}

type Transport = Parameters<typeof createMCPClient>[0]['transport'];

interface Connection {
  tools(): Promise<ToolSet>;
  close(): Promise<void>;
}

function connectionTo(transport: Transport): Connection {
  let client: Promise<MCPClient> | undefined;
  let tools: Promise<ToolSet> | undefined;
  let closed = false;
  return {
    async tools() {
      if (closed)
        throw new SkillError('source-unavailable', 'The connection to the server of this tool has been closed. Go on without it.');
      client ??= createMCPClient({ transport });
      tools ??= client.then((connected) => connected.tools());
      return tools;
    },
    async close() {
      closed = true;
      const connected = await client?.catch(() => undefined);
      await connected?.close();
    },
  };
}

/** Contacts the server when a tool of the kept list is called. */
function connectingTools(known: ToolSet, connection: Connection): ToolSet {
  return Object.fromEntries(
    Object.entries(known).map(([name, tool]) => {
      const execute: NonNullable<ToolSet[string]['execute']> = async (input, options) => {
        const live = (await connection.tools())[name];
        if (live?.execute === undefined)
          throw new SkillError('source-unavailable', `The server has no tool ${name} any more. Go on without it.`);
        return live.execute(input, options) as unknown;
      };
      return [name, { ...tool, execute } as ToolSet[string]];
    }),
  );
}

function cannotStart(key: string, { name }: SkillMetadata): SkillDiagnostic {
  return {
    severity: 'warning',
    code: 'skill-tools',
    skill: name,
    message: `The MCP server ${JSON.stringify(key)} of skill ${JSON.stringify(name)} runs as a process, and mcpTools was not told how to start one.`,
    fix: 'Give mcpTools the option stdio.',
  };
}
