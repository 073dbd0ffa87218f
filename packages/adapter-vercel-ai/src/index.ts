// Anything added here is public API.
export type {
  AiSdkAgentSettings,
  AiSdkAgentSettingsOptions,
  AiSdkPreparedStep,
  AiSdkPrepareStep,
  AiSdkSkills,
  AiSdkSkillsOptions,
} from './ai-sdk-skills-options.ts';
export { aiSdkSkills } from './ai-sdk-skills.ts';
export { transcriptOfMessages } from './transcript-of-messages.ts';
