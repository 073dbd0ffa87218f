// Anything added here is public API. It imports `@langchain/mcp-adapters`, which needs Node.js.
export { mcpTools, type McpTools, type McpToolsOptions } from './tools-of-skills/mcp-tools.ts';
