// Anything added here is public API.
export { skillsMiddleware, type SkillsMiddleware, type SkillsStateSchema } from './middleware/skills-middleware.ts';
export type { SkillsMiddlewareOptions } from './middleware/skills-middleware-options.ts';
export { withSkillState } from './middleware/with-skill-state.ts';
export type { RunSkillFork, SkillsOptions } from './binding/skills-options.ts';
export type { OpenSkillTools, SkillToolSource } from './binding/skill-tool-source.ts';
export type { LoadedSkills, LoadedTools, SkillsGraphState, SkillsStateFields } from './state/skills-state.ts';
export type { SkillStreamEvent } from './tools/stream-skill-events.ts';
