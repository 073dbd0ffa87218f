import type { SkillFieldValue } from '../contract/skill-provider.ts';
import type { SkillMdDiagnosticCode } from './diagnostic-codes.ts';

/** One field of the frontmatter. Offsets count in the text that was parsed. */
export interface YamlEntry {
  readonly key: string;
  /** Scalars as text, whatever they look like; maps without a prototype. */
  readonly value: SkillFieldValue;
  /** The value with numbers, booleans and null, for the keys that were asked for. */
  readonly typed?: unknown;
  readonly offset: number;
  /** The value as it is written, with line ends. */
  readonly written: string;
  /** What a ` #` cut off from an unquoted text. */
  readonly comment?: string | undefined;
}

/** Something about the YAML that one profile or the other reports. */
export interface YamlIssue {
  readonly code: SkillMdDiagnosticCode;
  readonly offset: number;
  /** The value or key that is meant, or the parser's words. */
  readonly detail: string;
  /** The key of the field, for what concerns a whole value. */
  readonly key?: string;
  /** Nothing was changed because of it: it matters only to the strict profile. */
  readonly harmless?: true;
}

/** The outcome of `parseYaml`. `invalid`: the text as a whole cannot be used. */
export interface YamlReading {
  readonly status: 'mapping' | 'not-mapping' | 'invalid';
  readonly entries: readonly YamlEntry[];
  readonly issues: readonly YamlIssue[];
  /** Where the text begins that made it invalid, if what stands before it was read apart. */
  readonly readFrom?: number;
}
