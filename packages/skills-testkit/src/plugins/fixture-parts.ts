import type { PluginFixture } from './plugin-client.ts';

const schemas = 'https://agent-plugins.org/schemas/1.0.0/';

/** The `$schema` of a file. */
export function schemaOf(file: 'plugin' | 'mcp'): string {
  return `${schemas}${file}.schema.json`;
}

/** A `plugin.json`; a field that is `undefined` is missing. */
export function manifest(fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ $schema: schemaOf('plugin'), name: 'billing', ...fields });
}

/** A `SKILL.md` that conforms. */
export function skill(name: string): string {
  return `---\nname: ${name}\ndescription: Does ${name}. Use it when ${name} is asked for.\n---\n\nDo it.\n`;
}

/** An `mcp.json` with these servers. */
export function mcp(mcpServers: unknown, fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ $schema: schemaOf('mcp'), mcpServers, ...fields });
}

/**
 * A plugin with the skill `pay` and the server `good`, and what a case changes. A file that is
 * `undefined` is left out.
 */
export function plugin(files: Readonly<Record<string, PluginFixture[string] | undefined>> = {}): PluginFixture {
  const all: Readonly<Record<string, PluginFixture[string] | undefined>> = {
    'plugin/plugin.json': manifest(),
    'plugin/skills/pay/SKILL.md': skill('pay'),
    'plugin/mcp.json': mcp({ good: { type: 'stdio', command: 'node' } }),
    ...files,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, PluginFixture[string]] => entry[1] !== undefined));
}

/** A plugin whose `mcp.json` has the server `good` and the server `odd`. */
export function withServer(odd: unknown, files: PluginFixture = {}): PluginFixture {
  return plugin({ 'plugin/mcp.json': mcp({ good: { type: 'stdio', command: 'node' }, odd }), ...files });
}
