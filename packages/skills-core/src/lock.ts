// Anything added here is public API: files that pin skills.
export { createSkillLock, type CreateSkillLockOptions } from './providers/lock/create-skill-lock.ts';
export { parseSkillLock, serializeSkillLock } from './providers/lock/lock-file.ts';
export { lockedProvider, type LockedProviderOptions } from './providers/lock/locked-provider.ts';
export type { LockedSigner, LockedSkill, LockSignerOf, SkillLock } from './providers/lock/skill-lock.ts';
export {
  compareSkillLocks,
  diffSkillLock,
  renderSkillLockDiff,
  verifySkillLock,
  type SkillLockChange,
  type SkillLockDiff,
  type SkillLockSide,
} from './providers/lock/skill-lock-diff.ts';
