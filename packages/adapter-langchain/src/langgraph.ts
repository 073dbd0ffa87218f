// Anything added here is public API. It does not import `langchain`.
export { langGraphSkills, type LangGraphSkillsOptions } from './graph/langgraph-skills.ts';
export type { LangGraphSkills } from './graph/langgraph-parts.ts';
export type { BindLoadedToolsOptions, ModelNodeOptions } from './graph/model-node-options.ts';
export type { SkillsState } from './graph/skills-graph-state.ts';
export type { AddSkillsOptions } from './graph/add-skills-options.ts';
export type { SkillsNodeUpdate } from './graph/node-update.ts';
export { loadSkillsNode } from './graph/load-skills-node.ts';
export type { SkillWanted } from './graph/load-wanted.ts';
export { createSkillTools, type CreateSkillToolsOptions, type SkillTools } from './graph/create-skill-tools.ts';
export { forkToAgent } from './graph/fork-to-agent.ts';
export { needsApproval, type ApprovalRequest } from './graph/needs-approval.ts';
export { skillQuestions, type AnsweredThread, type SkillQuestions, type ThreadQuestion } from './graph/skill-questions.ts';
export { localTools } from './tools-of-skills/local-tools.ts';
export { skillScopedTools } from './tools-of-skills/skill-scoped-tools.ts';
export {
  skillsAnnotation,
  skillsState,
  skillsStateOf,
  type LoadedSkills,
  type LoadedTools,
  type NamespacedSkillsState,
  type NamespacedSkillsStateFields,
  type SkillsAnnotation,
  type SkillsGraphState,
  type SkillsStateFields,
} from './state/skills-state.ts';
export { loadedSkills, type LoadedSkillEntry } from './state/loaded-skills.ts';
export { skillsZodState, type SkillsZodState } from './state/skills-zod-state.ts';
export type { RunSkillFork, SkillsOptions } from './binding/skills-options.ts';
export type { OpenSkillTools, SkillToolSource } from './binding/skill-tool-source.ts';
export type { SkillStreamEvent } from './tools/stream-skill-events.ts';
