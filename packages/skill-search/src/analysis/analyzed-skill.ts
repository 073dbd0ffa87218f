import type { SkillMetadata } from '@repertoire/skills-core';

/** A skill to be analyzed: level 1 as listed, and its instructions where they are to count. */
export interface AnalyzedSkill extends Omit<SkillMetadata, 'version'> {
  /** Counts for nothing. */
  readonly version?: string | null | undefined;
  /** @default '': only name, description and tags count */
  readonly body?: string | undefined;
}
