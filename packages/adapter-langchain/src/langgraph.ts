// Anything added here is public API. It does not import `langchain`.
export {
  langGraphSkills,
  type LangGraphSkills,
  type LangGraphSkillsOptions,
  type SkillsNodeUpdate,
  type SkillsState,
} from './graph/langgraph-skills.ts';
export { loadSkillsNode } from './graph/load-skills-node.ts';
export type { SkillWanted } from './graph/load-wanted.ts';
export { createSkillTools, type CreateSkillToolsOptions } from './graph/create-skill-tools.ts';
export { forkToAgent, type ForkAgent } from './graph/fork-to-agent.ts';
export { needsApproval, type ApprovalRequest } from './graph/needs-approval.ts';
export { localTools } from './brought/local-tools.ts';
export { transcriptOfMessages } from './messages/transcript-of-messages.ts';
export {
  skillsAnnotation,
  skillsState,
  type KeptCatalog,
  type LoadedSkills,
  type LoadedTools,
  type SkillsAnnotation,
  type SkillsGraphState,
  type SkillsStateFields,
  type SkillsStateUpdate,
} from './state/skills-state.ts';
export type { RunSkillFork, SkillsOptions } from './binding/skills-options.ts';
export type { SkillsRun } from './binding/skills-run.ts';
export type { OpenSkillTools, SkillToolSource } from './binding/skill-tool-source.ts';
export type { SkillStreamEvent } from './tools/stream-skill-events.ts';
