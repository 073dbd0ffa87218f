import type { SkillResourceEntry } from '@repertoire/skills-core/provider';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { CatalogCut } from '@repertoire/skills-core/internal';

/** Estimated tokens of a skill by part. Only the first part is paid for in every request. */
export interface SkillCost {
  /** Its line in the catalog; 0 where it is not listed. */
  readonly line: number;
  /** Its instructions, once it is loaded. */
  readonly body: number;
  /** Its files by kind. Files that no model reads as text cost nothing. */
  readonly files: Readonly<Partial<Record<SkillResourceEntry['kind'], number>>>;
}

/** Who signed a skill. */
export type SignatureView =
  | { readonly kind: 'not-signed' }
  /** There is a signature, and nothing was given that it could be verified with. */
  | { readonly kind: 'unverified' }
  | { readonly kind: 'verified'; readonly signer: string }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** One skill in the list. */
export interface SkillRow {
  readonly name: string;
  readonly version: string | null;
  readonly description: string;
  /** Label of its source. */
  readonly source: string;
  readonly trusted: boolean;
  /** What the budget did to its line; `hidden` where a model does not see it at all. */
  readonly shown: CatalogCut | 'hidden';
  readonly cost: SkillCost;
  readonly fileCount: number;
  readonly errors: number;
  readonly warnings: number;
  /** How much in its texts a person should have read; notes are not among them. */
  readonly risks: number;
  readonly signature: SignatureView;
}

/** The whole library. */
export interface LibraryView {
  readonly label: string;
  readonly skills: readonly SkillRow[];
  readonly catalogTokens: number;
  readonly maxTokens: number;
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Whether the sources listed everything that they have. */
  readonly complete: boolean;
  /** Whether the sources are held to a lock file. */
  readonly locked: boolean;
}

/** A file of a skill, as it is listed. */
export interface FileView {
  readonly path: string;
  readonly kind: SkillResourceEntry['kind'];
  readonly mediaType: string;
  readonly size: number | null;
}

/** One skill with everything but the contents of its files. */
export interface SkillView {
  readonly name: string;
  readonly version: string | null;
  /** The line of the catalog; empty where there is none. */
  readonly line: string;
  readonly body: string;
  /** The file as its author wrote it, or as it would be written. */
  readonly skillMd: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly FileView[];
  readonly diagnostics: readonly SkillDiagnostic[];
  readonly signature: SignatureView;
  readonly location: string | null;
}

/** The text of a file, or why there is none. */
export interface FileText {
  readonly path: string;
  readonly text: string | null;
  readonly size: number;
  readonly mediaType: string;
  /** Whether only the first part is shown. */
  readonly isCut: boolean;
}
