// Anything added here is public API.
export type { BridgeOptions, BridgeSource } from './view/bridge-options.ts';
export { mastraSkillSource, type MastraSkillEntry, type MastraSkillSource, type MastraSkillStat } from './mastra/mastra-skill-source.ts';
export { mastraSkills, type MastraSkillInput, type MastraSkillsOptions, type MastraSkillsRequest } from './mastra/mastra-skills.ts';
