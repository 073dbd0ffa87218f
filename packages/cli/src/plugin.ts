// Anything added here is public API.
export { skillsPlugin, type SkillsPluginOptions } from './plugin/skills-plugin.ts';
