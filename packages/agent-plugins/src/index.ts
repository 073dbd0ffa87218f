// Anything added here is public API. Nothing here needs Node.js.
export { memoryPluginFiles } from './files/memory-plugin-files.ts';
export type { PluginCallOptions, PluginEntry, PluginFile, PluginFiles, PluginReadOptions, PluginRoot } from './files/plugin-files.ts';
export { r2PluginFiles, type PluginBucket } from './files/r2-plugin-files.ts';
export { pluginDigest, type PluginDigest } from './policy/plugin-digest.ts';
export type { PluginListEntry, PluginLists } from './policy/plugin-lists.ts';
export { pinnedPlugins } from './policy/pinned-plugins.ts';
export { pluginNeeds, type PluginSurroundings } from './policy/plugin-needs.ts';
export { pluginProvider, type PluginProvider } from './provider/plugin-provider.ts';
export type { PluginEvent, PluginProviderOptions } from './provider/plugin-provider-options.ts';
export type { FoundPlugin } from './read/find-plugins.ts';
export type { AgentPluginsVersion, PluginAuthor, PluginManifest } from './read/plugin-manifest.ts';
export { pluginRules, type PluginRuleCode } from './read/plugin-rules.ts';
export type { PluginHttpServer, PluginServer, PluginStdioServer } from './read/plugin-server.ts';
export { readPlugin, type Plugin, type PluginSkillPlace, type ReadPlugin } from './read/read-plugin.ts';
