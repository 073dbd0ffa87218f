// Anything added here is public API: what Agent Plugins demands of clients.
export { checkPluginClient, pluginClientCases } from './plugins/plugin-client-cases.ts';
export type { PluginClientCase, PluginExpectation } from './plugins/plugin-client-case.ts';
export type {
  ClientRemoteServer,
  ClientStdioServer,
  PluginClient,
  PluginClientAnswer,
  PluginFixture,
  PluginFixtureFile,
} from './plugins/plugin-client.ts';
