// Anything added here is public API.
export type { HttpSkillCache } from './http/http-cache.ts';
export { httpSkillProvider, type HttpSkillProvider } from './provider/http-skill-provider.ts';
export type { HttpSkillProviderOptions } from './provider/http-skill-provider-options.ts';
