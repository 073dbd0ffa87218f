// Anything added here is public API.
export { mcpSkillProvider, type McpSkillProvider } from './provider/mcp-skill-provider.ts';
export type { McpSkillLimits, McpSkillProviderOptions } from './provider/mcp-skill-provider-options.ts';
export type { McpSkillOrigin } from './provider/indexed-skill.ts';
export type { McpChangeListener, McpConnection, McpRequestOptions } from './connection/mcp-connection.ts';
export type { McpClientLike } from './connection/official-client.ts';
export { mcpConnectionV1, type McpClientV1Like } from './connection/v1-client.ts';
export { resourceConnection, type ResourceClientLike } from './connection/resource-client.ts';
export { cappedFetch, type CappedFetchOptions } from './connection/capped-fetch.ts';
