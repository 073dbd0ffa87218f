// Anything added here is public API.
export type { ArchiveLimits } from './archive/archive-limits.ts';
export { unpackArchive, type UnpackedArchive } from './archive/unpack-archive.ts';
export type { HttpLayout } from './discovery/candidates.ts';
export type { HttpSkillCache } from './http/http-cache.ts';
export { httpSkillProvider, type HttpSkillProvider } from './provider/http-skill-provider.ts';
export type { HttpSkillLimits, HttpSkillProviderOptions } from './provider/http-skill-provider-options.ts';
