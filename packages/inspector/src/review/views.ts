import type { SkillGrant } from '@repertoire/skills-core';
import type { SkillChangedFiles } from '@repertoire/skills-core/internal';

/**
 * Whether an approval counts. `stands`: for the skill as it is now. `changed`: the skill is another
 * one by now, so a person is asked again. `absent`: no skill here has this source, place and
 * version. `unknown`: the source does not answer, or does not say which files the
 * skill has. `damaged`: the record is
 * not the one of its key, so it counts for nothing.
 */
export type ApprovalStanding = 'stands' | 'changed' | 'absent' | 'unknown' | 'damaged';

/** What somebody answered about one content of one skill. */
export interface ApprovalView {
  readonly skill: string;
  /** Label of the source, and the place in it. */
  readonly source: string;
  readonly place: string;
  readonly version: string | null;
  /** For whom it counts; empty for all. */
  readonly scope: string;
  /** Digest of the content. */
  readonly content: string;
  /** Empty for a person who said never. */
  readonly grants: readonly SkillGrant[];
  readonly never: boolean;
  readonly at: string;
  readonly by: string | null;
  readonly standing: ApprovalStanding;
  /** What changed since; `null` for one that did not, or where nobody can tell. */
  readonly changes: SkillChangedFiles | null;
}

/** Every approval of a store. */
export interface ApprovalsView {
  readonly approvals: readonly ApprovalView[];
  /** How many more there are than are shown. */
  readonly left: number;
}

/** A proposal in the list. */
export interface ProposalRow {
  readonly id: string;
  readonly skill: string;
  readonly status: string;
  readonly isNew: boolean;
  readonly created: string;
  readonly reason: string;
  /** Why it cannot be read; the other fields are empty then. */
  readonly problem: string | null;
  /** Codes of what the checks of its texts found. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** What agents proposed: those with errors first, then the newest. */
export interface ProposalsView {
  readonly proposals: readonly ProposalRow[];
  /** How many more there are than are shown. */
  readonly left: number;
}

/** A file as it is and as it would be. */
export interface ProposedFileView {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** The whole text; of bytes that are no text, their size, type and digest. */
  readonly before: string;
  readonly after: string;
}

/** Something that the checks found. */
export interface ProposalFindingView {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly path: string | null;
  readonly line: number | null;
}

/** Estimated tokens of a skill. */
export interface ProposalTokens {
  /** Name and description, which every request pays for. */
  readonly line: number;
  readonly body: number;
  /** All other files, at four bytes a token. */
  readonly files: number;
}

/** One proposal, with everything that a person decides by. */
export interface ProposalView extends ProposalRow {
  readonly author: string | null;
  readonly conversation: string | null;
  readonly model: string | null;
  readonly decisions: readonly { readonly type: string; readonly by: string; readonly at: string; readonly reason: string | null }[];
  /** The digest to accept; `null` for one that was decided or does not fit. */
  readonly content: string | null;
  /** Why it does not fit what the source has now. */
  readonly stale: string | null;
  /** Whether the skill changed since it was proposed, and the change fits all the same. */
  readonly rebased: boolean;
  readonly files: readonly ProposedFileView[];
  readonly allows: readonly { readonly kind: string; readonly what: string }[];
  readonly findings: readonly ProposalFindingView[];
  /** `before` is `null` for a new skill; both where nobody can tell. */
  readonly tokens: { readonly before: ProposalTokens | null; readonly after: ProposalTokens | null };
  /** The skills whose descriptions are most like the proposed one, from 0 to 1. */
  readonly alike: readonly { readonly name: string; readonly likeness: number; readonly shared: readonly string[] }[];
}
