// Anything added here is public API. It needs @modelcontextprotocol/client.
export { pluginServers, type PluginServers } from './servers/plugin-servers.ts';
export type { PluginServersOptions, StartPluginServer } from './servers/plugin-servers-options.ts';
