import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import type { SkillCallOptions } from '@repertoire/skills-core/provider';
import { statusOf, type SkillProposalStore } from '../store/skill-proposal-store.ts';
import { filesOfKept } from './kept-files.ts';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { currentSkill } from './proposed-content.ts';
import { decided, personOf, requireProposal, requireWritable } from './review-rules.ts';

/** Options of {@link undoProposal}. */
export interface UndoProposalOptions extends SkillCallOptions {
  /** Who undoes it. */
  readonly by: string;
  /** The clock; for tests. @default the system's */
  readonly now?: (() => Date) | undefined;
}

const known: OptionRules<UndoProposalOptions> = { by: 'string', now: '()', signal: '{}' };

/**
 * Writes again what was there before a proposal was accepted, byte for byte. Call it again after a
 * crash. A skill that was changed since is left alone.
 *
 * @returns the content that the source has now; `null` if the skill was new and is gone again
 * @throws {SkillError} `invalid-options`, `permission-denied`, `skill-not-found`, `unsupported` if
 *   it was not accepted, `skill-changed` if the skill was changed since
 * @example
 * ```ts
 * import type { SkillProvider } from '@repertoire/skills-core';
 * import { undoProposal, type SkillProposalStore } from '@repertoire/skill-proposals';
 *
 * export const undo = (store: SkillProposalStore, provider: SkillProvider, id: string) => undoProposal(store, provider, id, { by: 'ada@example.com' });
 * ```
 */
export async function undoProposal(
  store: SkillProposalStore,
  provider: SkillProvider,
  id: string,
  options: UndoProposalOptions,
): Promise<{ readonly content: string | null }> {
  assertKnownOptions('undoProposal', options, known);
  const { now = () => new Date(), signal } = options;
  const by = personOf(options.by);
  const write = requireWritable(provider);
  const record = await requireProposal(store, id);
  const { skill } = record.proposal;
  const status = statusOf(record);
  const begun = record.decisions.findLast((decision) => decision.type === 'accepting');
  if (begun === undefined || (status !== 'accepted' && status !== 'accepting'))
    throw new SkillError('unsupported', `The proposal ${JSON.stringify(id)} is ${status}, so there is nothing to undo.`, { skill });
  const current = await currentSkill(provider, skill, { signal });
  const { before } = begun;
  const content = before?.content ?? null;
  if ((current?.content ?? null) !== content) {
    const changed = new SkillError(
      'skill-changed',
      `The skill ${JSON.stringify(skill)} was changed after the proposal was accepted, so it is left as it is.`,
      { skill },
    );
    if (current?.content !== begun.content) throw changed;
    const { written } = await write(skill, before === null ? null : filesOfKept(before.files), { expected: begun.content, signal });
    if (!written) throw changed;
  }
  await decided(store, record, { type: 'undone', by, at: now().toISOString(), content });
  return { content };
}
