import type { Skill } from '../../contract/skill-provider.ts';
import type { SkillGrants } from '../../policy/approvals/skill-grants.ts';
import type { LoadedSkill } from '../../state/skill-state.ts';

declare const admitted: unique symbol;

/**
 * A skill whose body and files this request may have now. The doors of this folder make one, and
 * nothing else: `readPinnedSkill` of a loaded skill, `mayRead` of one that is not, `openToLoad` of
 * one that is about to be.
 */
export interface SkillInUse {
  readonly [admitted]: true;
  readonly skill: Skill;
  /** Its entry in the state, if loaded: then the skill is as it was loaded. */
  readonly loaded: LoadedSkill | undefined;
  /** What it may do. */
  readonly grants: SkillGrants;
}

/** For the doors alone; a test keeps others out. */
export function inUse(skill: Skill, loaded: LoadedSkill | undefined, grants: SkillGrants): SkillInUse {
  return { skill, loaded, grants } as SkillInUse;
}
