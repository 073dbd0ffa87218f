import { messageOf } from '@repertoire/skills-core/internal';
import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { abortable } from '@repertoire/skills-core/provider';
import type { PluginEvent } from '../provider/plugin-provider-options.ts';
import type { PluginProvider } from '../provider/plugin-provider.ts';
import type { FoundPlugin } from '../read/find-plugins.ts';
import { deviation } from '../read/plugin-rules.ts';
import type { PluginServer } from '../read/plugin-server.ts';
import { repertoireExtension } from '../read/repertoire-extension.ts';
import { assertPinned } from './assert-pinned.ts';
import { mayOpenServer } from './may-open-server.ts';
import { pluginServersSettings, type PluginServerRequest, type PluginServersOptions } from './plugin-servers-options.ts';
import { remoteTransport, ServerConnection, type ListedTool, type ToolAnswer } from './server-connection.ts';

/** A tool of a server of a plugin. */
export interface PluginTool extends ListedTool {
  /** Name of the server in `mcp.json`. */
  readonly server: string;
  call(input: Readonly<Record<string, unknown>>, options?: { readonly signal?: AbortSignal | undefined }): Promise<ToolAnswer>;
}

/** Where tools are opened for. */
export interface OpenPluginTools {
  /** The conversation, or whatever connections belong to. Two holders never share one. */
  readonly holder: string;
  readonly report: (diagnostic: SkillDiagnostic) => void;
  /** Closes a server once its tools are listed, for frameworks that list early. @default false */
  readonly onlyLists?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The MCP servers of plugins, for tool sources of frameworks. */
export interface PluginServers {
  /** The tools of a skill's plugin. A failing server is reported and brings none. */
  open(skill: SkillMetadata, request: OpenPluginTools): Promise<readonly PluginTool[]>;
  /** Closes what only this skill of the holder uses, or everything of the holder. */
  close(holder: string, skill?: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The MCP servers of plugins. All are off but those that `allow` names, and only for plugins of
 * roots that the host trusts. A connection is opened when a skill of its plugin is loaded (where
 * the framework must know all tools before, when they are listed and again when one is called),
 * shared by the skills of that plugin in one conversation, and closed when none of them is loaded,
 * when it is idle, or with `await using`.
 *
 * Give it to the agent by `pluginTools` of `/ai-sdk`, `/langchain` or `/openai-agents`.
 *
 * @throws {SkillError} `invalid-options`
 * @example
 * ```ts
 * import { pluginProvider } from '@repertoire/agent-plugins';
 * import { pluginFolders, stdioServers } from '@repertoire/agent-plugins/node';
 * import { pluginServers } from '@repertoire/agent-plugins/servers';
 *
 * export const provider = pluginProvider({ roots: pluginFolders(['./plugins']) });
 * export const servers = pluginServers(provider, { allow: ['billing/ledger'], stdio: stdioServers({ data: './plugin-data' }) });
 * ```
 */
export function pluginServers(provider: PluginProvider, options: PluginServersOptions): PluginServers {
  const settings = pluginServersSettings(options);
  const held = new Map<string, HeldServer>();
  const listed = new Map<string, readonly ListedTool[]>();

  const closeWhere = async (holder: string | null, skill: string | undefined): Promise<void> => {
    const closing: ServerConnection[] = [];
    for (const [key, one] of held) {
      if (holder !== null && one.holder !== holder) continue;
      if (skill === undefined) one.skills.clear();
      else if (!one.skills.delete(skill)) continue;
      if (one.skills.size > 0) continue;
      held.delete(key);
      closing.push(one.connection);
    }
    await Promise.all(closing.map((connection) => connection.close()));
  };

  return {
    async open(skill, { holder, report, signal, onlyLists = false }) {
      const { plugin } = await pluginOf(provider, skill, signal);
      if (plugin === null) return [];
      const extension = repertoireExtension(plugin.manifest);
      const answers = await Promise.all([...plugin.servers].map(([name, server]) => openOne({ plugin, server: name, skill }, server)));
      return answers.flat();

      async function openOne(request: PluginServerRequest, server: PluginServer): Promise<readonly PluginTool[]> {
        const { server: name } = request;
        if (!(await mayOpenServer(request, settings))) return [];
        const id = JSON.stringify([plugin?.manifest.name, name, server, plugin?.manifest.version]);
        const key = JSON.stringify([holder, id]);
        const known: HeldServer = held.get(key) ?? {
          holder,
          connection: connectionTo(request, server),
          skills: new Set<string>(),
          listing: null,
        };
        held.set(key, known);
        known.skills.add(skill.name);
        try {
          const tools = listed.get(id) ?? (await abortable(() => (known.listing ??= list(known.connection, onlyLists)), signal));
          listed.set(id, tools);
          const allowed =
            extension.tools === null ? tools : tools.filter((tool) => extension.tools?.get(name)?.includes(tool.name) === true);
          return allowed.map((tool) => ({
            ...tool,
            server: name,
            call: async (input, { signal: of } = {}) => {
              if (held.get(key) !== known)
                throw new SkillError(
                  'source-unavailable',
                  'The server of this tool was closed, because no skill of its plugin is loaded. Load the skill again.',
                );
              settings.onEvent({ type: 'tool-called', ...eventOf(request), tool: tool.name });
              return await known.connection.callTool(tool.name, input, of);
            },
          }));
        } catch (error) {
          known.skills.delete(skill.name);
          if (known.skills.size === 0) held.delete(key);
          await known.connection.close();
          signal?.throwIfAborted();
          settings.onEvent({ type: 'server-failed', ...eventOf(request) });
          report(failed(request, error));
          return [];
        }
      }
    },
    close: (holder, skill) => closeWhere(holder, skill),
    [Symbol.asyncDispose]: () => closeWhere(null, undefined),
  };

  function connectionTo(request: PluginServerRequest, server: PluginServer): ServerConnection {
    const event = eventOf(request);
    const transport = async () => {
      // At each start, because files may change while a connection rests.
      if (settings.lock !== undefined) await assertPinned(request, settings.lock);
      const { env, headers } = await secretsOf(request);
      if (server.type !== 'stdio') return remoteTransport(server, headers, settings.fetch ?? globalThis.fetch);
      if (settings.stdio === undefined)
        throw new SkillError(
          'unsupported',
          'it is a program, and pluginServers was not told how to start one. Give it stdio: stdioServers(…)',
        );
      return await settings.stdio({ ...request, stdio: server, secrets: env });
    };
    return new ServerConnection(transport, settings.idleMs, {
      opened: () => settings.onEvent({ type: 'server-opened', ...event }),
      closed: () => settings.onEvent({ type: 'server-closed', ...event }),
    });
  }

  async function secretsOf(request: PluginServerRequest): Promise<{ env: Record<string, string>; headers: Record<string, string> }> {
    const wanted = repertoireExtension(request.plugin.manifest).secrets.get(request.server);
    const told = async (places: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> => {
      const values: Record<string, string> = {};
      for (const [place, secret] of Object.entries(places)) {
        const value = await settings.secret?.(secret, request);
        if (value === undefined)
          throw new SkillError(
            'permission-denied',
            `it needs the secret ${JSON.stringify(secret)}, which the host does not tell. Give pluginServers the option secret`,
          );
        values[place] = value;
      }
      return values;
    };
    return { env: await told(wanted?.env), headers: await told(wanted?.headers) };
  }
}

function eventOf({ plugin: { manifest }, server, skill }: PluginServerRequest): Omit<PluginEvent, 'type'> {
  return { plugin: manifest.name, version: manifest.version, server, skill: skill.name };
}

interface HeldServer {
  readonly holder: string;
  readonly connection: ServerConnection;
  /** The loaded skills of its plugin. */
  readonly skills: Set<string>;
  listing: Promise<readonly ListedTool[]> | null;
}

async function list(connection: ServerConnection, closes: boolean): Promise<readonly ListedTool[]> {
  const tools = await connection.listTools();
  if (closes) await connection.close();
  return tools;
}

async function pluginOf(
  provider: PluginProvider,
  skill: SkillMetadata,
  signal: AbortSignal | undefined,
): Promise<{ plugin: FoundPlugin | null }> {
  const { origin } = skill;
  if (origin?.kind !== 'plugin' || origin.label !== provider.label) return { plugin: null };
  const plugins = await provider.listPlugins({ signal });
  return { plugin: plugins.find(({ manifest }) => origin.place?.startsWith(`${manifest.name}/`) === true) ?? null };
}

function failed({ plugin, server, skill }: PluginServerRequest, error: unknown): SkillDiagnostic {
  const why = messageOf(error);
  const message = `Server ${JSON.stringify(server)} of plugin ${JSON.stringify(plugin.manifest.name)} brings no tools: ${why}.`;
  return deviation('plugin-server-failed', 'error', message, {
    skill: skill.name,
    path: 'mcp.json',
    fix: 'Make sure that it can be started or reached.',
  });
}
