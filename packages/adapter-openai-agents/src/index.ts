// Anything added here is public API.
export { openAiAgentsSkills } from './openai-agents-skills.ts';
export type { OpenAiAgentsSkills, OpenAiAgentsSkillsOptions } from './openai-agents-skills-options.ts';
export { localTools } from './sources/local-tools.ts';
export type { AgentToolSource } from './sources/tool-source.ts';
