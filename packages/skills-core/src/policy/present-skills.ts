import type { SkillCallOptions, SkillMetadata } from '../contract/skill-provider.ts';
import type { SkillGrants } from './approvals/skill-grants.ts';
import type { LoadedSkill } from '../state/skill-state.ts';

/** What the source has at this moment, for a judgement. Both reject if the source cannot answer. */
export interface PresentSkills {
  /** The skills that the host selects for this request. */
  listed(options: SkillCallOptions): Promise<readonly SkillMetadata[]>;
  /** The content of a listed skill; `null` for an open one, `undefined` if it is gone. */
  contentOf(skill: SkillMetadata, loaded: LoadedSkill, options: SkillCallOptions): Promise<string | null | undefined>;
  /** Whether the host lets this request load a skill, as it says now. */
  mayLoad(skill: SkillMetadata): Promise<boolean>;
  /** Whether its source has not confirmed its listing for too long to open anything. */
  isExpired(skill: SkillMetadata): boolean;
  /** What this content may do; of a loaded skill also what was answered for its load. */
  grantsOf(skill: SkillMetadata, content: string | null | undefined, loaded?: LoadedSkill): Promise<SkillGrants>;
}
