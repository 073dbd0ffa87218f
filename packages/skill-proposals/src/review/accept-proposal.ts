import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { skillDigest, type SkillCallOptions } from '@repertoire/skills-core/provider';
import type { SkillFilesByPath } from '../proposal/skill-proposal.ts';
import { statusOf, type SkillProposalDecision, type SkillProposalStore } from '../store/skill-proposal-store.ts';
import { currentSkill, proposedContent } from './proposed-content.ts';
import { keepFiles } from './kept-files.ts';
import { decided, decidedMeanwhile, personOf, requireProposal, requireWritable } from './review-rules.ts';

/** Options of {@link acceptProposal}. */
export interface AcceptProposalOptions extends SkillCallOptions {
  /** Who accepts: a name, an address. */
  readonly by: string;
  /** The content digest that this person was shown. The change must give it now. */
  readonly content: string;
  /** Whether the person read the whole skill, to compare later changes with. @default false */
  readonly wholeRead?: boolean | undefined;
  /** Changes the files to be written, such as by a signature. @default nothing */
  readonly seal?: ((files: SkillFilesByPath) => Promise<SkillFilesByPath>) | undefined;
  /** The clock; for tests. @default the system's */
  readonly now?: (() => Date) | undefined;
}

const known: OptionRules<AcceptProposalOptions> = {
  by: 'string',
  content: 'string',
  wholeRead: 'boolean',
  seal: '()',
  now: '()',
  signal: '{}',
};

/**
 * Accepts a proposal: writes what a person was shown to the source. Call it again after a crash; it
 * goes on where it stopped.
 *
 * @returns the content that the source has now
 * @throws {SkillError} `permission-denied` without a person, `digest-mismatch` if the change now
 *   makes something else than was shown, `skill-changed` if it does not fit any more or somebody
 *   else wrote first, `unsupported` if the source cannot be written
 * @example
 * ```ts
 * import type { SkillProvider } from '@repertoire/skills-core';
 * import { acceptProposal, type SkillProposalStore } from '@repertoire/skill-proposals';
 *
 * export async function accept(store: SkillProposalStore, provider: SkillProvider, id: string, content: string): Promise<void> {
 *   await acceptProposal(store, provider, id, { by: 'ada@example.com', content });
 * }
 * ```
 */
export async function acceptProposal(
  store: SkillProposalStore,
  provider: SkillProvider,
  id: string,
  options: AcceptProposalOptions,
): Promise<{ readonly content: string }> {
  assertKnownOptions('acceptProposal', options, known);
  const { content: shown, seal = async (files) => files, now = () => new Date(), signal } = options;
  const by = personOf(options.by);
  const write = requireWritable(provider);
  const begun = await requireProposal(store, id);
  const { proposal, decisions } = begun;
  const { skill } = proposal;
  const at = now().toISOString();
  const status = statusOf(begun);
  if (status !== 'pending' && status !== 'accepting')
    throw new SkillError('unsupported', `The proposal ${JSON.stringify(id)} is ${status} already.`, { skill });
  const last = decisions.at(-1);
  if (last?.type === 'accepting' && (await currentSkill(provider, skill, { signal }))?.content === last.content) {
    // Written before the crash: only the record is missing. A record that somebody put there stands
    // for nobody's look.
    requireShown(shown, last.shown, id);
    await recordAccepted(store, id, { type: 'accepted', by: last.by, at, content: last.content });
    return { content: last.content };
  }
  const { before, after } = await proposedContent(provider, proposal, { signal });
  requireShown(shown, after.content, id);
  const files = await seal(after.files);
  const content = await skillDigest(files);
  const kept = before === null ? null : { content: before.content, files: keepFiles(before.files) };
  // What is replaced is on record before it is replaced.
  await decided(store, begun, {
    type: 'accepting',
    by,
    at,
    shown,
    content,
    before: kept,
    wholeRead: options.wholeRead === true,
  });
  const { written } = await write(skill, files, { expected: before?.content ?? null, signal });
  // Of two who accept the same, one writes it.
  if (!written && (await currentSkill(provider, skill, { signal }))?.content !== content)
    throw new SkillError(
      'skill-changed',
      `The skill ${JSON.stringify(skill)} was changed by somebody else meanwhile. Look at the proposal again.`,
      { skill },
    );
  await recordAccepted(store, id, { type: 'accepted', by, at, content });
  return { content };
}

/** So many people do not decide on one proposal in one moment. */
const mostTries = 20;

/** The content is written, so it is no matter which of those who accepted it says so. */
async function recordAccepted(
  store: SkillProposalStore,
  id: string,
  decision: Extract<SkillProposalDecision, { type: 'accepted' }>,
): Promise<void> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { proposal, decisions } = await requireProposal(store, id);
    const last = decisions.at(-1);
    if ((last?.type !== 'accepting' && last?.type !== 'accepted') || last.content !== decision.content) throw decidedMeanwhile(proposal);
    if (last.type === 'accepted' || (await store.decide(id, decision, decisions.length))) return;
  }
  throw decidedMeanwhile((await requireProposal(store, id)).proposal);
}

function requireShown(shown: string, content: string, id: string): void {
  if (shown === content) return;
  // The right digest is not said here: whoever has it has seen the text.
  throw new SkillError(
    'digest-mismatch',
    `The proposal ${JSON.stringify(id)} makes another content now than was shown to you. Look at it again: what shows all of it gives its digest.`,
  );
}
