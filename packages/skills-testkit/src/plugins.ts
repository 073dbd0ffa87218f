// Anything added here is public API: what Agent Plugins demands of clients.
export { pluginClientCases, type PluginClientTest } from './plugins/plugin-client-cases.ts';
export type { PluginClient, PluginClientAnswer, PluginFixture } from './plugins/plugin-client.ts';
