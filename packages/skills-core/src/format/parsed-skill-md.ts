import type { SkillFieldValue, SkillMetadata } from '../contract/skill-provider.ts';
import type { SkillMdDiagnostic, SkillMdProfile } from './diagnostic-log.ts';

/** Options of {@link parseSkillMd} and {@link parseSkillFrontmatter}. */
export interface ParseSkillMdOptions {
  /** How to read. @default 'lenient' */
  readonly profile?: SkillMdProfile | undefined;
  /**
   * Name of the folder, which the name must equal; `lenient` takes it as the name. @default none
   */
  readonly directoryName?: string | undefined;
  /** Path or URL of the file; it goes into diagnostics. @default none */
  readonly path?: string | undefined;
  /** The most bytes of frontmatter that are read. @default 16384 (16 KiB) */
  readonly maxFrontmatterBytes?: number | undefined;
  /** The most bytes of a whole file that are read. @default 2097152 (2 MiB) */
  readonly maxBytes?: number | undefined;
}

/** Level 1 of a SKILL.md: what {@link parseSkillFrontmatter} returns. */
export interface ParsedSkillFrontmatter {
  /** What is known of the skill. `null` exactly where there is a diagnostic of severity `error`. */
  readonly metadata: SkillMetadata | null;
  /** All fields as written; scalars as text. Without a prototype. */
  readonly frontmatter: Readonly<Record<string, SkillFieldValue>>;
  /** `steps` and `hooks` as YAML's core schema types them. Without a prototype. */
  readonly typed: Readonly<Record<string, unknown>>;
  /** Everything that is not as it should be, in the order of the file. */
  readonly diagnostics: readonly SkillMdDiagnostic[];
}

/** A SKILL.md: what {@link parseSkillMd} returns. */
export interface ParsedSkillMd extends ParsedSkillFrontmatter {
  /** The Markdown below the frontmatter, trimmed, with `\n`. All text without frontmatter. */
  readonly body: string;
}
