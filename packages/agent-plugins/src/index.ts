// Anything added here is public API. Nothing here needs Node.js.
export { memoryPluginFiles } from './files/memory-plugin-files.ts';
export type { PluginCallOptions, PluginFiles, PluginRoot } from './files/plugin-files.ts';
export { r2PluginFiles, type PluginBucket } from './files/r2-plugin-files.ts';
export { pinnedPlugins } from './policy/pinned-plugins.ts';
export { pluginProvider, type PluginProvider } from './provider/plugin-provider.ts';
export type { PluginProviderOptions } from './provider/plugin-provider-options.ts';
export type { Plugin } from './read/read-plugin.ts';
