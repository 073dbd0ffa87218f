import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { readSkillFiles, skillDigest, type SkillCallOptions } from '@repertoire/skills-core/provider';
import { applyChange } from '../proposal/apply-change.ts';
import type { SkillFilesByPath, SkillProposal } from '../proposal/skill-proposal.ts';

/** What a proposal makes of a source as it is now. */
export interface ProposedContent {
  /** What the source has; `null` for a new skill. */
  readonly before: { readonly content: string; readonly files: SkillFilesByPath } | null;
  readonly after: { readonly content: string; readonly files: SkillFilesByPath };
  /** Whether the source changed since, and the change still fits. */
  readonly rebased: boolean;
}

/** The files of a skill as a source has it now; `null` if it has none of this name. */
export async function currentSkill(
  provider: SkillProvider,
  name: string,
  { signal }: SkillCallOptions = {},
): Promise<ProposedContent['before']> {
  const skill = await provider.getSkill(name, { signal });
  if (skill === null) return null;
  const { digest, files } = await readSkillFiles(provider, skill, { signal });
  return { content: digest, files };
}

/**
 * Makes the change of a proposal in what a source has now. If that is another content than the
 * proposal was made for, it is rebased: edits must still fit exactly once, and whole files must
 * replace what they were written for.
 *
 * @throws {SkillError} `skill-changed` with the reason if the change does not fit; what the
 *   provider rejects with
 * @example
 * ```ts
 * import type { SkillProvider } from '@repertoire/skills-core';
 * import { proposedContent, type SkillProposal } from '@repertoire/skill-proposals';
 *
 * export async function digestToAccept(provider: SkillProvider, proposal: SkillProposal): Promise<string> {
 *   return (await proposedContent(provider, proposal)).after.content;
 * }
 * ```
 */
export async function proposedContent(
  provider: SkillProvider,
  proposal: SkillProposal,
  options: SkillCallOptions = {},
): Promise<ProposedContent> {
  const { id, skill, base } = proposal;
  const before = await currentSkill(provider, skill, options);
  const stale = (why: string): SkillError =>
    new SkillError('skill-changed', `The proposal ${JSON.stringify(id)} no longer fits: ${why} Reject it, or have it proposed again.`, {
      skill,
    });
  if (base === null && before !== null) throw stale(`it is for a new skill, and there is a skill ${JSON.stringify(skill)} now.`);
  if (base !== null && before === null) throw stale(`the skill ${JSON.stringify(skill)} is gone.`);
  const applied = await applyChange(before?.files ?? {}, proposal);
  if ('problem' in applied) throw stale(applied.problem);
  const { files } = applied;
  return { before, after: { content: await skillDigest(files), files }, rebased: base !== null && before?.content !== base.content };
}
