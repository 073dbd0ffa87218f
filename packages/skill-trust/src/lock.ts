// Anything added here is public API: files that pin skills.
export { createSkillLock, type CreateSkillLockOptions } from './lock/create-skill-lock.ts';
export { parseSkillLock, serializeSkillLock } from './lock/lock-file.ts';
export { lockedProvider, type LockedProviderOptions } from './lock/locked-provider.ts';
export type { LockSignerOf } from './lock/skill-lock.ts';
export { diffSkillLock, type SkillLockDiff } from './lock/skill-lock-diff.ts';
