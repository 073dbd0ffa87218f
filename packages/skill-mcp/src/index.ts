// Anything added here is public API.
export { mcpSkillProvider, type McpSkillProvider } from './provider/mcp-skill-provider.ts';
export type { McpSkillProviderOptions } from './provider/mcp-skill-provider-options.ts';
export type { McpConnection } from './connection/mcp-connection.ts';
export { mcpConnectionV1 } from './connection/v1-client.ts';
export { resourceConnection } from './connection/resource-client.ts';
export { cappedFetch, type CappedFetchOptions } from './connection/capped-fetch.ts';
