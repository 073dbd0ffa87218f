// Anything added here is public API.
export type { AiSdkAgentSettingsOptions, AiSdkFork, AiSdkOwnApproval, AiSdkSkills, AiSdkSkillsOptions } from './ai-sdk-skills-options.ts';
export { aiSdkSkills } from './ai-sdk-skills.ts';
export { forkAgent, type ForkAgentOptions } from './fork/fork-agent.ts';
export { localTools } from './sources/local-tools.ts';
export type { AiSdkToolSource, ToolsOfSkill, OpenSkillTools } from './sources/tool-source.ts';
export { transcriptOfMessages } from './state/messages.ts';
