// Anything added here is public API.
export type { SkillFilesLayout } from './files/layouts.ts';
export { writeSkillFiles, type WriteSkillFilesOptions, type WrittenSkillFiles } from './files/write-skill-files.ts';
