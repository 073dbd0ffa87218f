import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import type { PluginProvider } from '../provider/plugin-provider.ts';
import { ConnectedServers } from './connected-servers.ts';
import { pluginServersSettings, type PluginServersOptions } from './plugin-servers-options.ts';
import type { ListedTool, ToolAnswer } from './bounded-answers.ts';

/** A tool of a server of a plugin. */
export interface PluginTool extends ListedTool {
  /** Name of the server in `mcp.json`. */
  readonly server: string;
  call(input: Readonly<Record<string, unknown>>, options?: { readonly signal?: AbortSignal | undefined }): Promise<ToolAnswer>;
}

/** Whom the tools are opened for. */
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
 * Opens the MCP servers of plugins. All are off but those that `allow` names, and only for plugins
 * of roots that the host trusts. A connection is opened when a skill of its plugin is loaded (where
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
  const servers = new ConnectedServers(provider, pluginServersSettings(options));
  return {
    open: (skill, request) => servers.open(skill, request),
    close: (holder, skill) => servers.close(holder, skill),
    [Symbol.asyncDispose]: () => servers.closeAll(),
  };
}
