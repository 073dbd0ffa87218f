import type { Client } from '@modelcontextprotocol/client';
import { messageOf } from '@repertoire/skills-core/internal';
import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { HeldConnections, ServerConnection } from '@repertoire/skill-mcp/internal';
import { abortable } from '@repertoire/skills-core/provider';
import type { PluginEvent } from '../provider/plugin-provider-options.ts';
import type { PluginProvider } from '../provider/plugin-provider.ts';
import type { FoundPlugin } from '../read/find-plugins.ts';
import { deviation } from '../read/plugin-rules.ts';
import type { PluginServer } from '../read/plugin-server.ts';
import { repertoireExtension } from '../read/repertoire-extension.ts';
import { assertPinned } from './assert-pinned.ts';
import { mayOpenServer } from './may-open-server.ts';
import type { PluginServerRequest, PluginServersSettings } from './plugin-servers-options.ts';
import type { OpenPluginTools, PluginTool } from './plugin-servers.ts';
import { boundedAnswer, type ListedTool } from './bounded-answers.ts';
import { connect, listTools, remoteTransport, type ListedTools } from './server-connection.ts';

interface ConnectedServer {
  readonly connection: ServerConnection<Client>;
  listing: Promise<ListedTools> | null;
}

/** The open servers by holder, and the tools that they listed. */
export class ConnectedServers {
  readonly #provider: PluginProvider;
  readonly #settings: PluginServersSettings;
  readonly #held = new HeldConnections<ConnectedServer>();
  readonly #listed = new Map<string, ListedTools>();

  constructor(provider: PluginProvider, settings: PluginServersSettings) {
    this.#provider = provider;
    this.#settings = settings;
  }

  /** The tools of all servers of the skill's plugin. */
  async open(skill: SkillMetadata, options: OpenPluginTools): Promise<readonly PluginTool[]> {
    const plugin = await pluginOf(this.#provider, skill, options.signal);
    if (plugin === null) return [];
    const answers = await Promise.all(
      [...plugin.servers].map(([name, server]) => this.#openOne({ plugin, server: name, skill }, server, options)),
    );
    return answers.flat();
  }

  async close(holder: string, skill: string | undefined): Promise<void> {
    await this.#held.release(holder, skill);
  }

  async closeAll(): Promise<void> {
    await this.#held.releaseAll();
  }

  async #openOne(request: PluginServerRequest, server: PluginServer, options: OpenPluginTools): Promise<readonly PluginTool[]> {
    if (!(await mayOpenServer(request, this.#settings))) return [];
    const { plugin, server: name, skill } = request;
    const { holder, report, signal, onlyLists = false } = options;
    const allowed = repertoireExtension(plugin.manifest).tools;
    const id = JSON.stringify([plugin.manifest.name, name, server, plugin.manifest.version]);
    const known = this.#held.hold(holder, skill.name, id, () => ({ connection: this.#connectionTo(request, server), listing: null }));
    try {
      const listed = this.#listed.get(id) ?? (await abortable(() => (known.listing ??= list(known.connection, onlyLists)), signal));
      if (listed.leftOut > 0 && !this.#listed.has(id))
        report(
          failed(request, `brings ${listed.tools.length} tools, and ${listed.leftOut} more are left out: they are too many, or too long`),
        );
      this.#listed.set(id, listed);
      return listed.tools
        .filter((tool) => allowed === null || allowed.get(name)?.includes(tool.name) === true)
        .map((tool) => this.#toolOf(tool, request, known.connection));
    } catch (error) {
      await this.#held.release(holder, skill.name, id);
      await known.connection.close();
      signal?.throwIfAborted();
      this.#settings.onEvent({ type: 'server-failed', ...eventOf(request) });
      report(failed(request, `brings no tools: ${messageOf(error)}`));
      return [];
    }
  }

  #toolOf(tool: ListedTool, request: PluginServerRequest, connection: ServerConnection<Client>): PluginTool {
    return {
      ...tool,
      server: request.server,
      call: (input, { signal } = {}) =>
        connection.use(async (client) => {
          this.#settings.onEvent({ type: 'tool-called', ...eventOf(request), tool: tool.name });
          const called = { name: tool.name, arguments: { ...input } };
          return boundedAnswer(await client.callTool(called, signal === undefined ? {} : { signal }));
        }),
    };
  }

  #connectionTo(request: PluginServerRequest, server: PluginServer): ServerConnection<Client> {
    const settings = this.#settings;
    const event = eventOf(request);
    const transport = async () => {
      // Checked at each start, because files may change while the connection is closed.
      if (settings.lock !== undefined) await assertPinned(request, settings.lock);
      const { env, headers } = await this.#secretsOf(request);
      if (server.type !== 'stdio') return remoteTransport(server, headers, settings.fetch ?? globalThis.fetch);
      if (settings.stdio === undefined)
        throw new SkillError(
          'unsupported',
          'it is a program, and pluginServers was not told how to start one. Give it stdio: stdioServers(…)',
        );
      return await settings.stdio({ ...request, stdio: server, secrets: env });
    };
    return new ServerConnection(({ ended }) => connect(transport, ended), {
      idleMs: settings.idleMs,
      onOpened: () => settings.onEvent({ type: 'server-opened', ...event }),
      onClosed: () => settings.onEvent({ type: 'server-closed', ...event }),
    });
  }

  async #secretsOf(request: PluginServerRequest): Promise<{ env: Record<string, string>; headers: Record<string, string> }> {
    const wanted = repertoireExtension(request.plugin.manifest).secrets.get(request.server);
    return { env: await this.#told(wanted?.env, request), headers: await this.#told(wanted?.headers, request) };
  }

  async #told(places: Readonly<Record<string, string>> = {}, request: PluginServerRequest): Promise<Record<string, string>> {
    const values: Record<string, string> = {};
    for (const [place, secret] of Object.entries(places)) {
      const value = await this.#settings.secret?.(secret, request);
      if (value === undefined)
        throw new SkillError(
          'permission-denied',
          `it needs the secret ${JSON.stringify(secret)}, which the host does not tell. Give pluginServers the option secret`,
        );
      values[place] = value;
    }
    return values;
  }
}

function eventOf({ plugin: { manifest }, server, skill }: PluginServerRequest): Omit<PluginEvent, 'type'> {
  return { plugin: manifest.name, version: manifest.version, server, skill: skill.name };
}

async function list(connection: ServerConnection<Client>, closes: boolean): Promise<ListedTools> {
  const listed = await connection.use(listTools);
  if (closes) await connection.close();
  return listed;
}

async function pluginOf(provider: PluginProvider, { origin }: SkillMetadata, signal: AbortSignal | undefined): Promise<FoundPlugin | null> {
  if (origin?.kind !== 'plugin' || origin.label !== provider.label) return null;
  const plugins = await provider.listPlugins({ signal });
  return plugins.find(({ manifest }) => origin.place?.startsWith(`${manifest.name}/`) === true) ?? null;
}

function failed({ plugin, server, skill }: PluginServerRequest, what: string): SkillDiagnostic {
  const message = `Server ${JSON.stringify(server)} of plugin ${JSON.stringify(plugin.manifest.name)} ${what}.`;
  return deviation('plugin-server-failed', 'error', message, {
    skill: skill.name,
    path: 'mcp.json',
    fix: 'Make sure that it can be started or reached.',
  });
}
