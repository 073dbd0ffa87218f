// Anything added here is public API.
export type { KnownFailure, SkillProviderTestConfig, SkillProviderUnderTest } from './conformance/config.ts';
export { skillProviderCases, type SkillProviderCase } from './conformance/skill-provider-cases.ts';
export { groupBySkillDirectory, type SkillLibraryFiles } from './fixtures/library-files.ts';
export { scriptedSkillProvider, type ScriptedSkillProvider } from './scripted-skill-provider.ts';
