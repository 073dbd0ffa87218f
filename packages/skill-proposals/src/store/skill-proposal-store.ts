import type { SkillProposal } from '../proposal/skill-proposal.ts';

/** A file as a decision keeps it. */
export type KeptFile = { readonly path: string; readonly text: string } | { readonly path: string; readonly base64: string };

/** What happened to a proposal. Decisions are only ever added. */
export type SkillProposalDecision = { readonly by: string; readonly at: string } & (
  | { readonly type: 'rejected'; readonly reason: string }
  /**
   * A person accepted what they were `shown`; `content`, the same with its seal, is about to be
   * written. `before` is what it replaces, for `undo`: `null` for a new skill. `wholeRead`: the
   * person read the whole skill, and not only what changed.
   */
  | {
      readonly type: 'accepting';
      readonly shown: string;
      readonly content: string;
      readonly before: { readonly content: string; readonly files: readonly KeptFile[] } | null;
      readonly wholeRead: boolean;
    }
  /** The content was written. */
  | { readonly type: 'accepted'; readonly content: string }
  /** What was there before was written again. */
  | { readonly type: 'undone'; readonly content: string | null }
);

/** A proposal and what happened to it. */
export interface SkillProposalRecord {
  readonly proposal: SkillProposal;
  /** In the order in which they were made. */
  readonly decisions: readonly SkillProposalDecision[];
}

/** `accepting`: writing has not ended; `accept` again continues it. */
export type SkillProposalStatus = 'pending' | SkillProposalDecision['type'];

/** Where proposals wait. Agents add to it and never read it. */
export interface SkillProposalStore {
  /** Ids of all proposals, in any order. */
  list(): Promise<readonly string[]>;
  /** @returns `null` for an unknown id. @throws {SkillError} for a damaged one */
  read(id: string): Promise<SkillProposalRecord | null>;
  /** Adds a proposal as a whole or not at all. @returns `false` if there is one with this id */
  add(proposal: SkillProposal): Promise<boolean>;
  /** Adds a decision. @returns `false` unless there are exactly `after` decisions */
  decide(id: string, decision: SkillProposalDecision, after: number): Promise<boolean>;
}

/**
 * Where a proposal stands.
 *
 * @example
 * ```ts
 * import { statusOf, type SkillProposalRecord } from '@repertoire/skill-proposals';
 *
 * export const isOpen = (record: SkillProposalRecord): boolean => statusOf(record) === 'pending';
 * ```
 */
export function statusOf({ decisions }: Pick<SkillProposalRecord, 'decisions'>): SkillProposalStatus {
  return decisions.at(-1)?.type ?? 'pending';
}
