// Anything added here is public API. It needs Node.js.
export { pluginFolders, standardPluginRoots, type PluginFoldersOptions, type StandardPluginRootsOptions } from './node/plugin-folders.ts';
export { stdioServers, type StdioServersOptions } from './node/stdio-servers.ts';
