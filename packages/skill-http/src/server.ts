// Anything added here is public API.
export { createSkillsHandler, type PrimeOptions, type SkillsHandler, type SkillsHandlerOptions } from './server/create-skills-handler.ts';
export type { PublishOptions } from './server/publish-options.ts';
