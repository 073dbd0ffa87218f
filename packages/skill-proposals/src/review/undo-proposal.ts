import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { skillDigest, type SkillCallOptions } from '@repertoire/skills-core/provider';
import type { SkillFilesByPath } from '../proposal/skill-proposal.ts';
import { statusOf, type SkillProposalRecord, type SkillProposalStore } from '../store/skill-proposal-store.ts';
import { filesOfKept } from './kept-files.ts';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { currentSkill, type ProposedContent } from './proposed-content.ts';
import { decided, personOf, requireProposal, requireWritable } from './review-rules.ts';

/** Options of {@link undoProposal}. */
export interface UndoProposalOptions extends SkillCallOptions {
  /** Who undoes it. */
  readonly by: string;
  /**
   * The content that this person was shown as what comes back: that of {@link restoredContent}.
   * `null` where the skill goes away again.
   */
  readonly content: string | null;
  /** The clock; for tests. @default the system's */
  readonly now?: (() => Date) | undefined;
}

/** What an undo makes of a source as it is now. */
export interface RestoredContent {
  /** What the source has. */
  readonly before: ProposedContent['before'];
  /** What comes back; `null` where the skill was new and goes away again. */
  readonly after: { readonly content: string; readonly files: SkillFilesByPath } | null;
}

const known: OptionRules<UndoProposalOptions> = { by: 'string', content: { string: true, null: true }, now: '()', signal: '{}' };

/**
 * What {@link undoProposal} would write: show it to the person who undoes. A store may be edited by
 * anybody who can write where it lies, so its files are hashed against what the decision recorded.
 *
 * @throws {SkillError} `unsupported` if it was not accepted, `digest-mismatch` if the kept files
 *   are not those that the decision recorded, `skill-changed` if the skill was changed since
 * @example
 * ```ts
 * import type { SkillProvider } from '@repertoire/skills-core';
 * import { restoredContent, type SkillProposalRecord } from '@repertoire/skill-proposals';
 *
 * export const pathsToShow = async (provider: SkillProvider, record: SkillProposalRecord) =>
 *   Object.keys((await restoredContent(provider, record)).after?.files ?? {});
 * ```
 */
export async function restoredContent(
  provider: SkillProvider,
  record: SkillProposalRecord,
  { signal }: SkillCallOptions = {},
): Promise<RestoredContent> {
  const { id, skill } = record.proposal;
  const status = statusOf(record);
  const begun = record.decisions.findLast((decision) => decision.type === 'accepting');
  if (begun === undefined || (status !== 'accepted' && status !== 'accepting'))
    throw new SkillError('unsupported', `The proposal ${JSON.stringify(id)} is ${status}, so there is nothing to undo.`, { skill });
  const before = await currentSkill(provider, skill, { signal });
  const kept = begun.before;
  const files = kept === null ? null : filesOfKept(kept.files);
  if (kept !== null && files !== null && (await skillDigest(files)) !== kept.content)
    throw new SkillError(
      'digest-mismatch',
      `The store has other files of ${JSON.stringify(skill)} than the decision recorded: somebody changed the proposal ${JSON.stringify(id)} in it. Nothing was written. Restore the store, or change the skill by hand.`,
      { skill },
    );
  const now = before?.content ?? null;
  if (now !== (kept?.content ?? null) && now !== begun.content) throw changedSince(skill);
  return { before, after: kept === null || files === null ? null : { content: kept.content, files } };
}

/**
 * Writes again what was there before a proposal was accepted, byte for byte. Call it again after a
 * crash. A skill that was changed since is left alone.
 *
 * @returns the content that the source has now; `null` if the skill was new and is gone again
 * @throws {SkillError} `invalid-options`, `permission-denied`, `skill-not-found`, `unsupported` if
 *   it was not accepted, `digest-mismatch` if something else would be written than was shown or
 *   recorded, `skill-changed` if the skill was changed since
 * @example
 * ```ts
 * import type { SkillProvider } from '@repertoire/skills-core';
 * import { undoProposal, type SkillProposalStore } from '@repertoire/skill-proposals';
 *
 * export async function undo(store: SkillProposalStore, provider: SkillProvider, id: string, shown: string | null): Promise<void> {
 *   await undoProposal(store, provider, id, { by: 'ada@example.com', content: shown });
 * }
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
  const { before, after } = await restoredContent(provider, record, { signal });
  const content = after?.content ?? null;
  if (options.content !== content)
    throw new SkillError(
      'digest-mismatch',
      `Undoing ${JSON.stringify(id)} brings back another content than was shown to you. Look at it again: what shows all of it gives its digest.`,
      { skill },
    );
  if ((before?.content ?? null) !== content) {
    const { written } = await write(skill, after?.files ?? null, { expected: before?.content ?? null, signal });
    if (!written) throw changedSince(skill);
  }
  await decided(store, record, { type: 'undone', by, at: now().toISOString(), content });
  return { content };
}

function changedSince(skill: string): SkillError {
  return new SkillError(
    'skill-changed',
    `The skill ${JSON.stringify(skill)} was changed after the proposal was accepted, so it is left as it is.`,
    { skill },
  );
}
