// Anything added here is public API.
export { skillsMiddleware, type SkillsMiddleware, type SkillsStateSchema } from './middleware/skills-middleware.ts';
export type { SkillsMiddlewareOptions } from './middleware/skills-middleware-options.ts';
export { withSkillState } from './middleware/with-skill-state.ts';
