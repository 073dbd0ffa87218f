import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { compareText } from '@repertoire/skills-core/internal';
import { proposedContent, type ProposedContent } from '../review/proposed-content.ts';
import { statusOf, type SkillProposalRecord, type SkillProposalStatus, type SkillProposalStore } from '../store/skill-proposal-store.ts';

/** A proposal in a list. */
export interface ProposalRow {
  readonly id: string;
  readonly skill: string;
  readonly status: SkillProposalStatus;
  readonly isNew: boolean;
  readonly created: string;
  readonly author: string | null;
  readonly reason: string;
  /** Codes of what the checks of its texts found; empty for one that was decided. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** What proposals are for. */
export interface ReviewedLibrary {
  readonly store: SkillProposalStore;
  readonly provider: SkillProvider;
  /** Names of all skills. */
  readonly names: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Whether a person has still to decide. */
export function isOpen(record: SkillProposalRecord): boolean {
  return ['pending', 'accepting'].includes(statusOf(record));
}

/**
 * What a proposal makes of its skill now, or why it does not fit. Both are `null` if it was
 * decided.
 */
export async function contentToReview(
  record: SkillProposalRecord,
  { provider, signal }: Pick<ReviewedLibrary, 'provider' | 'signal'>,
): Promise<{ readonly made: ProposedContent | null; readonly stale: string | null }> {
  if (!isOpen(record)) return { made: null, stale: null };
  try {
    return { made: await proposedContent(provider, record.proposal, { signal }), stale: null };
  } catch (error) {
    if (SkillError.isInstance(error) && error.code === 'skill-changed') return { made: null, stale: error.message };
    throw error;
  }
}

/** A proposal with what the checks of its texts found. */
export async function proposalRow(record: SkillProposalRecord, library: ReviewedLibrary): Promise<ProposalRow> {
  const { id, skill, base, created, author, reason } = record.proposal;
  const { made, stale } = await contentToReview(record, library);
  const change = made === null ? null : { skill, before: made.before?.files ?? {}, after: made.after.files, names: library.names };
  // Commands that only read for risks load this module, too, and no parser.
  const findings = change === null ? [] : (await (await import('./check-change.ts')).checkChange(library.store, change)).findings;
  const of = (severity: string): string[] => [...new Set(findings.flatMap((each) => (each.severity === severity ? [each.code] : [])))];
  return {
    id,
    skill,
    status: statusOf(record),
    isNew: base === null,
    created,
    author,
    reason,
    errors: stale === null ? of('error') : ['stale-base'],
    warnings: of('warning'),
  };
}

type Listed = Pick<ProposalRow, 'skill' | 'created' | 'errors' | 'warnings'>;
const newestFirst = (a: Listed, b: Listed): number => compareText(b.created, a.created);

/** Orders of a list: worst first, newest first, by skill. */
export const proposalOrders: Readonly<Record<'found' | 'created' | 'skill', (a: Listed, b: Listed) => number>> = {
  found: (a, b) => b.errors.length - a.errors.length || b.warnings.length - a.warnings.length || newestFirst(a, b),
  created: newestFirst,
  skill: (a, b) => compareText(a.skill, b.skill) || newestFirst(a, b),
};
