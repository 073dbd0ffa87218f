import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { proposalLimits } from '../proposal/skill-proposal.ts';
import { statusOf, type SkillProposalStore } from '../store/skill-proposal-store.ts';
import { decided, personOf, requireProposal } from './review-rules.ts';

/** Options of {@link rejectProposal}. */
export interface RejectProposalOptions {
  /** Who rejects. */
  readonly by: string;
  /** Why; for people. @default '' */
  readonly reason?: string | undefined;
  /** The clock; for tests. @default the system's */
  readonly now?: (() => Date) | undefined;
}

const known: OptionRules<RejectProposalOptions> = { by: 'string', reason: 'string', now: '()' };

/**
 * Turns a proposal down. The store remembers it by its digest: the same text is not taken again.
 *
 * @throws {SkillError} `invalid-options`, `permission-denied` without a person, `skill-not-found`,
 *   `unsupported` if it was decided already
 * @example
 * ```ts
 * import { rejectProposal, type SkillProposalStore } from '@repertoire/skill-proposals';
 *
 * export const turnDown = (store: SkillProposalStore, id: string) => rejectProposal(store, id, { by: 'ada@example.com', reason: 'Too narrow.' });
 * ```
 */
export async function rejectProposal(store: SkillProposalStore, id: string, options: RejectProposalOptions): Promise<void> {
  assertKnownOptions('rejectProposal', options, known);
  const { reason = '', now = () => new Date() } = options;
  const by = personOf(options.by);
  const record = await requireProposal(store, id);
  const status = statusOf(record);
  if (status !== 'pending')
    throw new SkillError(
      'unsupported',
      `The proposal ${JSON.stringify(id)} is ${status}${status === 'accepting' || status === 'accepted' ? '. Undo it instead' : ' already'}.`,
      { skill: record.proposal.skill },
    );
  await decided(store, record, { type: 'rejected', by, at: now().toISOString(), reason: reason.slice(0, proposalLimits.reasonCharacters) });
}
