// Anything added here is public API: hooks around loading, unloading and reading.
export { skillHooks } from './tools/hooks/skill-hooks.ts';
export type { SkillHookAnswer, SkillHookCall, SkillHookRefusal, SkillHooksOptions } from './tools/hooks/skill-hooks-options.ts';
export type { SessionHooks, SkillHooks } from './tools/tool-environment.ts';
