// Anything added here is public API.
export { mastraSkillSource, type MastraSkillSource } from './mastra/mastra-skill-source.ts';
export { mastraSkills, type MastraSkillInput, type MastraSkillsOptions, type MastraSkillsRequest } from './mastra/mastra-skills.ts';
