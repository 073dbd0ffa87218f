import type { StructuredToolInterface } from '@langchain/core/tools';
import { MultiServerMCPClient, type Connection } from '@langchain/mcp-adapters';
import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { cardToolsOf, freeToolName } from '@repertoire/skills-core/adapter';
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
import { KeptToolsByConversation } from './kept-tools.ts';
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
 * The tools of the MCP servers that a skill names, in its card or in the field `mcps` of its
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
  const kept = new KeptToolsByConversation(idleMs, options.setTimer ?? unreferencedTimer);

  return {
    open: (skill, request) =>
      kept.use(request.conversation, async () => {
        const servers = serversOf(skill, options, request.report);
        if (servers.length === 0) return [];
        const { conversation, signal, report } = request;
        const there = kept.get(conversation, skill.name);
        if (there !== undefined) return abortable(() => there.tools, signal);
        const opened = servers.map(([key, server]) => open(key, clientOf(key, server, options)));
        const close = async () => {
          await Promise.allSettled(opened.map((one) => one.close()));
        };
        const names = new Set<string>();
        const nameOf = (name: string, prefix: string): string => {
          // Skills that are loaded concurrently do not see each other's tools in the state yet.
          const free = freeToolName(name, prefix, new Set([...request.taken, ...kept.names(conversation)]));
          names.add(free);
          return free;
        };
        const tools = toolsOf(skill, opened, report)
          .then((found) => found.map(({ key, tool }) => renameTool(keepingOpen(tool, conversation), nameOf(tool.name, key))))
          .catch(async (error: unknown) => {
            kept.take(conversation, skill.name);
            await close();
            throw error;
          });
        kept.set(conversation, skill.name, { tools, names, close });
        return abortable(() => tools, signal);
      }),

    async close(conversation, skill) {
      await Promise.all(kept.take(conversation, skill).map(({ close }) => close()));
    },

    async [Symbol.asyncDispose]() {
      await Promise.all([kept.closed(), ...kept.takeAll().map(({ close }) => close())]);
    },
  };

  /** A server counts as used while one of its tools runs. */
  function keepingOpen(tool: StructuredToolInterface, conversation: string): StructuredToolInterface {
    const invoke = (...[input, config]: Parameters<StructuredToolInterface['invoke']>) =>
      kept.use(conversation, async () => tool.invoke(input, config) as Promise<unknown>);
    return new Proxy(tool, {
      get: (target, property) => (property === 'invoke' ? invoke : Reflect.get(target, property, target)),
    });
  }
}

const unreferencedTimer: SetTimer = (callback, milliseconds) => {
  const timer: unknown = setTimeout(callback, milliseconds);
  // Node.js: the timer must not keep the process alive.
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') timer.unref();
  return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
};

function serversOf(
  skill: SkillMetadata,
  { allow, stdio = false }: McpToolsOptions,
  report: (diagnostic: SkillDiagnostic) => void,
): [string, SkillCardMcpServer][] {
  if (skill.origin?.trusted !== true) return [];
  const { mcps, diagnostics } = cardToolsOf(skill);
  for (const diagnostic of diagnostics) report(diagnostic);
  return Object.entries(mcps).filter(([key, server]) => {
    if (server.transport === 'stdio' && !stdio) {
      report(cannotStart(key, skill));
      return false;
    }
    return allow?.(server, skill) ?? true;
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

interface OpenedServer {
  readonly key: string;
  readonly tools: Promise<StructuredToolInterface[]>;
  close(): Promise<void>;
}

function open(key: string, client: MultiServerMCPClient): OpenedServer {
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

async function toolsOf(
  skill: SkillMetadata,
  opened: readonly OpenedServer[],
  report: (diagnostic: SkillDiagnostic) => void,
): Promise<{ readonly key: string; readonly tool: StructuredToolInterface }[]> {
  const found = await Promise.all(
    opened.map(async ({ key, tools }) => {
      try {
        return { key, tools: await tools };
      } catch (error) {
        report(cannotReach(key, skill, error));
        throw new SkillError(
          'source-unavailable',
          `The skill ${JSON.stringify(skill.name)} needs the MCP server ${JSON.stringify(key)}, which cannot be reached. Go on without the skill and say so, or try again later.`,
          { skill: skill.name, cause: error },
        );
      }
    }),
  );
  return found.flatMap(({ key, tools }) => tools.map((tool) => ({ key, tool })));
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

function cannotStart(key: string, { name }: SkillMetadata): SkillDiagnostic {
  return {
    severity: 'warning',
    code: 'skill-tools',
    skill: name,
    message: `The MCP server ${JSON.stringify(key)} of skill ${JSON.stringify(name)} runs a program on this machine, which is not allowed.`,
    fix: 'Give mcpTools the option stdio: true, if you trust what the skill starts.',
  };
}
