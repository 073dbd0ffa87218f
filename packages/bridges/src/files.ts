// Anything added here is public API.
export type { BridgeOptions, BridgeSource } from './view/bridge-options.ts';
export type { SkillFilesLayout } from './files/layouts.ts';
export { writeSkillFiles, type WriteSkillFilesOptions, type WrittenSkillFiles } from './files/write-skill-files.ts';
