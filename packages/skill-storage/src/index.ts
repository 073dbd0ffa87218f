// Anything added here is public API.
export { storageSkillProvider, type StorageSkillProvider } from './provider/storage-skill-provider.ts';
export type { StorageSkillProviderOptions } from './provider/storage-skill-provider-options.ts';
export { pruneSkills, type PrunedSkills, type PruneSkillsOptions } from './publish/prune-skills.ts';
export { publishSkillsToStorage, type PublishedRelease, type PublishSkillsToStorageOptions } from './publish/publish-skills-to-storage.ts';
export { rollbackSkills, type RollbackSkillsOptions, type RolledBackSkills } from './publish/rollback-skills.ts';
export type { SkillUpload } from './publish/uploader.ts';
export { kvSkillStore, type KVNamespaceLike } from './store/kv-skill-store.ts';
export { r2SkillStore, type R2BucketLike } from './store/r2-skill-store.ts';
export { s3SkillStore, type S3SkillStoreOptions } from './store/s3-skill-store.ts';
export type { SkillStore, SkillStoreEntry } from './store/skill-store.ts';
export { unstorageSkillStore, type UnstorageLike } from './store/unstorage-skill-store.ts';
