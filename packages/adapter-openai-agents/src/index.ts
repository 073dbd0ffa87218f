// Anything added here is public API.
export { openAiAgentsSkills } from './openai-agents-skills.ts';
export type { OpenAiAgentsSkills, OpenAiAgentsSkillsOptions } from './openai-agents-skills-options.ts';
export type { RunQuestion, RunQuestions, WaitingRuns } from './run/run-questions.ts';
export { localTools } from './sources/local-tools.ts';
export type { AgentToolSource } from './sources/tool-source.ts';
