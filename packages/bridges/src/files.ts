// Anything added here is public API.
export { writeSkillFiles, type WriteSkillFilesOptions, type WrittenSkillFiles } from './files/write-skill-files.ts';
