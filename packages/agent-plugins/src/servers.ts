// Anything added here is public API. It needs @modelcontextprotocol/client.
export { pluginServers, type OpenPluginTools, type PluginServers, type PluginTool } from './servers/plugin-servers.ts';
export type { PluginServerRequest, PluginServersOptions, StartPluginServer } from './servers/plugin-servers-options.ts';
export type { ListedTool, ToolAnswer } from './servers/server-connection.ts';
