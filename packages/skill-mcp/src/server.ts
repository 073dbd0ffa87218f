// Anything added here is public API.
export { serveSkillsOverMcp, type ServedSkills } from './server/serve-skills-over-mcp.ts';
export type { PrimeOptions } from './server/prime-options.ts';
export type { ServeSkillsOverMcpOptions } from './server/serve-skills-over-mcp-options.ts';
export { createMcpSkillsHandler, type McpSkillsHandler, type McpSkillsHandlerOptions } from './server/mcp-skills-handler.ts';
