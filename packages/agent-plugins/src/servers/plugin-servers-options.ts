import { SkillError, type SkillLock, type SkillMetadata } from '@repertoire/skills-core';
import { assertKnownOptions, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import type { Transport } from '@modelcontextprotocol/client';
import type { PluginEvent } from '../provider/plugin-provider-options.ts';
import type { FoundPlugin } from '../read/find-plugins.ts';
import type { PluginStdioServer } from '../read/plugin-server.ts';

/** A server that is about to be opened. */
export interface PluginServerRequest {
  readonly plugin: FoundPlugin;
  /** Its name in `mcp.json`. */
  readonly server: string;
  /** The skill of the plugin that was loaded. */
  readonly skill: SkillMetadata;
}

/** Starts servers that are programs: `stdioServers` of `/node`. */
export type StartPluginServer = (
  request: PluginServerRequest & { readonly stdio: PluginStdioServer; readonly secrets: Readonly<Record<string, string>> },
) => Promise<Transport>;

/** Options of {@link pluginServers}. */
export interface PluginServersOptions {
  /** The servers that may be opened, as `plugin/server`. All others stay off. */
  readonly allow: readonly string[];
  /**
   * Asked before a listed server is opened; only `true` opens it. @default the list alone decides
   */
  readonly grant?: ((request: PluginServerRequest) => boolean | Promise<boolean>) | undefined;
  /** A lock with plugins: only plugins without changed files open servers. @default none */
  readonly lock?: SkillLock | undefined;
  /** Starts programs. @default none is started */
  readonly stdio?: StartPluginServer | undefined;
  /** Returns a secret that a plugin names, or `undefined`. @default none */
  readonly secret?: ((name: string, request: PluginServerRequest) => string | undefined | Promise<string | undefined>) | undefined;
  /** Sends the requests to remote servers. @default the runtime's `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds of idleness after which a connection is closed. @default 300_000 */
  readonly idleMs?: number | undefined;
  /** Called when a server is opened, closed or fails. @default nobody is told */
  readonly onEvent?: ((event: PluginEvent) => void) | undefined;
}

const known: OptionRules<PluginServersOptions> = {
  allow: 'string[]',
  grant: '()',
  lock: '{}',
  stdio: '()',
  secret: '()',
  fetch: '()',
  idleMs: 'number',
  onEvent: '()',
};

/** The options with every default filled in. */
export interface PluginServersSettings extends PluginServersOptions {
  readonly idleMs: number;
  readonly onEvent: (event: PluginEvent) => void;
}

/** @throws {SkillError} `invalid-options` */
export function pluginServersSettings(options: PluginServersOptions): PluginServersSettings {
  assertKnownOptions('pluginServers', options, known);
  if (!Array.isArray(options.allow) || !options.allow.every((name) => typeof name === 'string' && /^[^/]+\/./.test(name))) {
    throw new SkillError(
      'invalid-options',
      'Option "allow" of pluginServers has to be a list of servers, such as ["billing/ledger"]: the plugin, "/" and the server.',
    );
  }
  return {
    ...options,
    idleMs: numberOption('idleMs', options.idleMs, { of: 'pluginServers', fallback: 300_000, least: 1 }),
    onEvent: options.onEvent ?? (() => {}),
  };
}
