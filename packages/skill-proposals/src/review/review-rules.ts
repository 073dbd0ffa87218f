import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { proposalLimits } from '../proposal/skill-proposal.ts';
import type { SkillProposalDecision, SkillProposalRecord, SkillProposalStore } from '../store/skill-proposal-store.ts';

/** @throws {SkillError} `skill-not-found` */
export async function requireProposal(store: SkillProposalStore, id: string): Promise<SkillProposalRecord> {
  const record = await store.read(id);
  if (record !== null) return record;
  throw new SkillError(
    'skill-not-found',
    `There is no proposal ${JSON.stringify(id.slice(0, 150))}. List them, and take an id from there.`,
  );
}

/** A named person. @throws {SkillError} `permission-denied` */
export function personOf(by: string): string {
  const name = typeof by === 'string' ? by.trim() : '';
  if (name !== '' && name.length <= proposalLimits.wordCharacters) return name;
  throw new SkillError('permission-denied', 'A decision needs the name of the person who makes it.');
}

/** @throws {SkillError} `unsupported` */
export function requireWritable(provider: SkillProvider): NonNullable<SkillProvider['write']> {
  if (provider.write === undefined)
    throw new SkillError(
      'unsupported',
      `The source ${JSON.stringify(provider.label)} cannot be written. Open a folder with writable: true, or a storage with conditional writes.`,
      { source: provider.label },
    );
  return (name, files, options) =>
    provider.write?.(name, files, options) ?? Promise.reject(new SkillError('unsupported', 'The source cannot be written.'));
}

/**
 * Adds a decision.
 *
 * @throws {SkillError} `skill-changed` if somebody decided meanwhile
 */
export async function decided(store: SkillProposalStore, record: SkillProposalRecord, decision: SkillProposalDecision): Promise<void> {
  const { proposal, decisions } = record;
  if (!(await store.decide(proposal.id, decision, decisions.length))) throw decidedMeanwhile(proposal);
}

export function decidedMeanwhile({ id, skill }: SkillProposalRecord['proposal']): SkillError {
  return new SkillError('skill-changed', `Somebody else decided on the proposal ${JSON.stringify(id)} meanwhile. Look at it again.`, {
    skill,
  });
}
