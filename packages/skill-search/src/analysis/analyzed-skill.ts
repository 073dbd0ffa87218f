import type { SkillMetadata } from '@repertoire/skills-core';

/** A skill to be analyzed: level 1 as listed, and its instructions where they are to count. */
export interface AnalyzedSkill extends SkillMetadata {
  /** @default '': only name, description and tags count */
  readonly body?: string | undefined;
}
