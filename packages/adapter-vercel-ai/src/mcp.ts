// Anything added here is public API. It needs @ai-sdk/mcp.
export { mcpTools, type McpToolsOptions } from './sources/mcp-tools.ts';
