// Anything added here is public API.
export { fileSystemSkillProvider, type FileSystemSkillProvider } from './file-system-skill-provider.ts';
export type { FileSystemSkillProviderOptions, FileSystemWatchOptions } from './file-system-skill-provider-options.ts';
export type { SkillRoot } from './skill-roots.ts';
export { standardSkillRoots, type StandardSkillRootsOptions } from './standard-skill-roots.ts';
export { fileApprovalStore, type FileApprovalStore } from './file-approval-store.ts';
