// The shape of the provider contract, version 1. Where skills-core exports these types, this file goes, and its importers take them from there.
import type {
  Skill as CoreSkill,
  SkillCallOptions,
  SkillDiagnostic,
  SkillMetadata as CoreSkillMetadata,
  SkillResource,
} from '@repertoire/skills-core';

/** Level 1 of a skill. `version` is `null` for a skill without one. */
export interface SkillMetadata extends Omit<CoreSkillMetadata, 'version'> {
  readonly version: string | null;
}

/** What a source lists. */
export interface SkillListing {
  readonly skills: readonly SkillMetadata[];
  readonly diagnostics: readonly SkillDiagnostic[];
  /** `false` where the source knows that it did not list everything. */
  readonly complete: boolean;
}

/** Level 2 of a skill. */
export interface Skill extends Omit<CoreSkill, 'version'>, SkillMetadata {
  readonly version: string | null;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Which version of a skill is asked for: omitted = the newest, `null` = the one without a version. */
export interface GetSkillOptions extends SkillCallOptions {
  readonly version?: string | null | undefined;
}

/** Options of `readResource`. */
export interface ReadResourceOptions extends GetSkillOptions {
  readonly maxBytes?: number | undefined;
}

/** A source of skills. `readResource(name, 'SKILL.md')` returns the author's own bytes where the source has them. */
export interface SkillProvider {
  readonly label: string;
  listSkills(options?: SkillCallOptions): Promise<SkillListing>;
  getSkill(name: string, options?: GetSkillOptions): Promise<Skill | null>;
  readResource(name: string, path: string, options?: ReadResourceOptions): Promise<SkillResource | null>;
  watch?(onChange: () => void): () => void;
  [Symbol.asyncDispose]?(): Promise<void>;
}
