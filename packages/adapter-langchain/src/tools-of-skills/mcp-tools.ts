import type { StructuredToolInterface } from '@langchain/core/tools';
import { MultiServerMCPClient, type Connection } from '@langchain/mcp-adapters';
import { HeldConnections, ServerConnection, serversOfSkill } from '@repertoire/skill-mcp/internal';
import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { freeToolName } from '@repertoire/skills-core/adapter';
import {
  assertKnownOptions,
  messageOf,
  numberOption,
  type OptionRules,
  type SetTimer,
  type SkillCardMcpServer,
} from '@repertoire/skills-core/internal';
import { abortable } from '@repertoire/skills-core/provider';
import type { SkillToolSource } from '../binding/skill-tool-source.ts';
import { renameTool } from './rename-tool.ts';

/** Options of {@link mcpTools}. */
export interface McpToolsOptions {
  /**
   * Whether servers that run as processes on this machine (`transport: stdio`) may be started.
   * Otherwise they are skipped with a diagnostic.
   * @default false
   */
  readonly stdio?: boolean | undefined;
  /** Which servers of a trusted skill may be contacted. @default all, as `stdio` allows */
  readonly allow?: ((server: SkillCardMcpServer, skill: SkillMetadata) => boolean) | undefined;
  /** Milliseconds that a tool call may take. @default that of `@langchain/mcp-adapters` */
  readonly toolTimeoutMs?: number | undefined;
  /**
   * Milliseconds without use after which the servers of a conversation are closed. A run may wait
   * for a person, or may have failed where this package does not notice it. Servers are connected
   * again when needed. `Infinity` keeps them until `close`.
   * @default 300,000 (five minutes)
   */
  readonly idleMs?: number | undefined;
  /** Starts a timer for `idleMs`. @default one that does not keep a process alive */
  readonly setTimer?: SetTimer | undefined;
}

/** A source of tools of MCP servers. Disposing of it closes every connection. */
export interface McpTools extends SkillToolSource {
  [Symbol.asyncDispose](): Promise<void>;
}

const knownOptions: OptionRules<McpToolsOptions> = {
  stdio: 'boolean',
  allow: '()',
  toolTimeoutMs: 'number',
  idleMs: 'number',
  setTimer: '()',
};

/**
 * Offers the tools of the MCP servers that a skill names, in its card or in the field `mcps` of its
 * frontmatter. Servers are connected when the skill is loaded. They are closed when it is unloaded,
 * when the agent ends, when its run fails, and after `idleMs` without use. Only trusted skills may
 * bring servers. If a server is down, the skill is not loaded, its other servers are closed, and
 * the model reads an error; the reason is reported to the host.
 *
 * If a name is taken, the tool is prefixed with the key of its server: `crm__search`.
 *
 * @example
 * ```ts
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
 * import { skillsMiddleware } from '@repertoire/adapter-langchain';
 * import { mcpTools } from '@repertoire/adapter-langchain/mcp';
 * import type { Skillset } from '@repertoire/skills-core';
 * import { createAgent } from 'langchain';
 *
 * export const agentOf = (model: BaseChatModel, skillset: Skillset) =>
 *   createAgent({ model, middleware: [skillsMiddleware(skillset, { toolSources: [mcpTools()] })] });
 * ```
 */
export function mcpTools(options: McpToolsOptions = {}): McpTools {
  assertKnownOptions('mcpTools', options, knownOptions);
  const idleMs = numberOption('idleMs', options.idleMs, { of: 'mcpTools', fallback: 300_000, least: 0 });
  const held = new HeldConnections<SkillServers>();

  return {
    async open(skill, { conversation, report, signal, taken }) {
      const servers = serversOfSkill(skill, { startsPrograms: options.stdio === true, allow: options.allow, report });
      if (servers.length === 0) return [];
      const there = held.hold(conversation, skill.name, skill.name, () => {
        // A run may never come back, so nothing of it is kept when it is idle.
        const onIdle = () => void held.release(conversation, skill.name);
        const connect = async ({ signal: closed }: { readonly signal: AbortSignal }) =>
          connectAll(skill, servers, options, { report, closed });
        return {
          connection: new ServerConnection(connect, { idleMs, setTimer: options.setTimer, onIdle }),
          names: new Set<string>(),
          tools: undefined,
        };
      });
      const { connection } = there;
      const nameOf = (name: string, prefix: string): string => {
        // Skills that are loaded concurrently do not see each other's tools in the state yet.
        const free = freeToolName(name, prefix, new Set([...taken, ...held.of(conversation).flatMap(({ names }) => [...names])]));
        there.names.add(free);
        return free;
      };
      try {
        return await abortable(
          () =>
            connection.use(
              async ({ tools }) =>
                (there.tools ??= tools.map(({ key, tool }) => renameTool(keepingOpen(tool, connection), nameOf(tool.name, key)))),
            ),
          signal,
        );
      } catch (error) {
        signal?.throwIfAborted();
        await held.release(conversation, skill.name);
        throw error;
      }
    },

    close: (conversation, skill) => held.release(conversation, skill),
    [Symbol.asyncDispose]: () => held.releaseAll(),
  };
}

/** The servers of one skill in one conversation. */
interface SkillServers {
  readonly connection: ServerConnection<ConnectedServers>;
  readonly names: Set<string>;
  tools: StructuredToolInterface[] | undefined;
}

interface ConnectedServers {
  readonly tools: readonly { readonly key: string; readonly tool: StructuredToolInterface }[];
  close(): Promise<void>;
}

/** A server counts as used while one of its tools runs. */
function keepingOpen(tool: StructuredToolInterface, connection: ServerConnection<ConnectedServers>): StructuredToolInterface {
  const invoke = (...[input, config]: Parameters<StructuredToolInterface['invoke']>) =>
    connection.use(async () => tool.invoke(input, config) as Promise<unknown>);
  return new Proxy(tool, {
    get: (target, property) => (property === 'invoke' ? invoke : Reflect.get(target, property, target)),
  });
}

function clientOf(key: string, server: SkillCardMcpServer, { toolTimeoutMs }: McpToolsOptions): MultiServerMCPClient {
  return new MultiServerMCPClient({
    mcpServers: { [key]: connectionOf(server) },
    onConnectionError: 'throw',
    throwOnLoadError: true,
    prefixToolNameWithServerName: false,
    additionalToolNamePrefix: '',
    ...(toolTimeoutMs !== undefined && { defaultToolTimeout: toolTimeoutMs }),
  });
}

function connectionOf(server: SkillCardMcpServer): Connection {
  switch (server.transport) {
    case 'stdio':
      return {
        transport: 'stdio',
        command: server.command,
        args: [...server.args],
        ...(Object.keys(server.env).length > 0 && { env: { ...server.env } }),
        ...(server.cwd !== undefined && { cwd: server.cwd }),
      };
    case 'sse':
      return { transport: 'sse', url: server.url, headers: { ...server.headers } };
    case 'streamable-http':
      return { transport: 'http', url: server.url, headers: { ...server.headers }, automaticSSEFallback: false };
  }
}

/**
 * Connects all servers of a skill and lists their tools, or none.
 *
 * @throws {SkillError} `source-unavailable`
 */
async function connectAll(
  skill: SkillMetadata,
  servers: readonly (readonly [string, SkillCardMcpServer])[],
  options: McpToolsOptions,
  { report, closed }: { readonly report: (diagnostic: SkillDiagnostic) => void; readonly closed: AbortSignal },
): Promise<ConnectedServers> {
  const opened = servers.map(([key, server]) => open(key, clientOf(key, server, options)));
  const close = async (): Promise<void> => {
    await Promise.allSettled(opened.map((one) => one.close()));
  };
  closed.addEventListener('abort', () => void close(), { once: true });
  const failed = async (key: string, error: unknown): Promise<never> => {
    report(cannotReach(key, skill, error));
    await close();
    throw new SkillError(
      'source-unavailable',
      `The skill ${JSON.stringify(skill.name)} needs the MCP server ${JSON.stringify(key)}, which cannot be reached. Go on without the skill and say so, or try again later.`,
      { skill: skill.name, cause: error },
    );
  };
  const found = opened.map(async ({ key, tools }) => {
    const listed = await tools.catch((error: unknown) => failed(key, error));
    return listed.map((tool) => ({ key, tool }));
  });
  return { tools: (await Promise.all(found)).flat(), close };
}

function open(
  key: string,
  client: MultiServerMCPClient,
): { readonly key: string; readonly tools: Promise<StructuredToolInterface[]>; close(): Promise<void> } {
  const tools = client.getTools() as unknown as Promise<StructuredToolInterface[]>;
  const close = async (): Promise<void> => {
    await client.close();
    // A client knows of a connection only when it stands, so one that is being made is closed then.
    void tools
      .catch(() => undefined)
      .then(() => client.close())
      .catch(() => undefined);
  };
  return { key, tools, close };
}

/** For the host only: such messages contain addresses, paths and commands. */
function cannotReach(key: string, { name }: SkillMetadata, error: unknown): SkillDiagnostic {
  return {
    severity: 'error',
    code: 'skill-tools',
    skill: name,
    message: `The MCP server ${JSON.stringify(key)} of skill ${JSON.stringify(name)} cannot be reached: ${messageOf(error)}`,
    fix: 'Make sure that the server is there.',
  };
}
