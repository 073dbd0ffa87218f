// Anything added here is public API.
export { publishSkills, type PublishedSkills } from './server/publish-skills.ts';
export type { PublishSkillsOptions } from './server/publish-skills-options.ts';
export { createMcpSkillsHandler, type McpSkillsHandler, type McpSkillsHandlerOptions } from './server/mcp-skills-handler.ts';
