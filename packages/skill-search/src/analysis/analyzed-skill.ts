import type { SkillMetadata } from '@repertoire/skills-core';

/** A skill to analyze: level 1 as listed, and its instructions if they should count. */
export interface AnalyzedSkill extends Omit<SkillMetadata, 'version'> {
  /** Ignored. */
  readonly version?: string | null | undefined;
  /** @default '': only name, description and tags count */
  readonly body?: string | undefined;
}
