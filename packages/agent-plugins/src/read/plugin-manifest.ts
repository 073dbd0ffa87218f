import type { JsonObject } from '@repertoire/skills-core/internal';

/** A version of the standard that is understood. 1.1.0 is a draft. */
export type AgentPluginsVersion = '1.0.0' | '1.1.0';

/** The author of a plugin. The fields are texts, and nothing else is checked. */
export interface PluginAuthor {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly url?: string | undefined;
}

/** What a `plugin.json` says. */
export interface PluginManifest {
  /** The version of the standard; `null` for an older manifest. */
  readonly standard: AgentPluginsVersion | null;
  readonly name: string;
  /** For people, from the draft 1.1.0. @default the name */
  readonly displayName?: string | undefined;
  /** A path inside the plugin, from the draft 1.1.0. Never remote. */
  readonly icon?: string | undefined;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly author?: PluginAuthor | undefined;
  readonly homepage?: string | undefined;
  readonly repository?: string | undefined;
  readonly license?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  /** Data of clients by their namespace, as written. A client looks at its own only. */
  readonly extensions: JsonObject;
}

const base = 'https://agent-plugins.org/schemas/';
const versions: readonly AgentPluginsVersion[] = ['1.0.0', '1.1.0'];

function pluginSchema(version: AgentPluginsVersion, file: 'plugin' | 'mcp'): string {
  return `${base}${version}/${file}.schema.json`;
}

/** The version of a `$schema`; `null` for an unknown one. Never fetched. */
export function versionOfSchema(schema: unknown, file: 'plugin' | 'mcp'): AgentPluginsVersion | null {
  return versions.find((version) => pluginSchema(version, file) === schema) ?? null;
}

/** Whether a text may be the name of a plugin. */
export function isPluginName(name: string): boolean {
  return name.length <= 64 && /^[a-z\d.-]+$/.test(name) && /^[a-z\d]/.test(name) && /[a-z\d]$/.test(name) && !/--|\.\./.test(name);
}
