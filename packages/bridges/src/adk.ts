// Anything added here is public API.
export type { BridgeOptions, BridgeSource } from './view/bridge-options.ts';
export { adkSkillRegistry, type AdkSkillRegistry, type AdkSkillRegistryOptions } from './adk/adk-skill-registry.ts';
export { adkSkills } from './adk/adk-skills.ts';
export type { AdkFrontmatter, AdkSkill } from './adk/adk-skill.ts';
