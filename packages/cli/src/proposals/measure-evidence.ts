import type { SkillProvider } from '@repertoire/skills-core';
import type { ProposedContent, SkillProposal } from '@repertoire/skill-proposals';
import { measureEffect, type EffectOptions, type SkillEffect } from '../activation/measure-effect.ts';
import { UsageMeter } from '../activation/usage.ts';
import type { EvalItem } from '../evals/eval-item.ts';
import { proposedProvider } from './proposed-provider.ts';

/** The model that answers with and without a change, and the cases that it answers. */
export interface EvidenceSettings {
  readonly model: EffectOptions['model'];
  readonly id: string;
  readonly runs: number;
  /** Of the library and of the host, none of the proposal. */
  readonly items: readonly EvalItem[];
}

/** How answers are with the change, and without it. */
export interface ProposalEvidence extends Pick<SkillEffect, 'withSkill' | 'withoutSkill' | 'verdict'> {
  readonly model: string;
  readonly cases: number;
  /** Cases that were left out, because the proposal quotes them: it was written for them. */
  readonly quoted: number;
}

const concurrency = 4;

/**
 * Answers the cases of a skill with the library as it would be, and with the library as it is.
 *
 * @returns `null` without a case that the proposal does not quote
 */
export async function measureEvidence(
  { skill, reason, files, edits }: SkillProposal,
  { after }: ProposedContent,
  library: SkillProvider,
  { model, id, runs, items }: EvidenceSettings,
  signal: AbortSignal,
): Promise<ProposalEvidence | null> {
  const words = (text: string): string => text.toLowerCase().split(/\s+/).join(' ').trim();
  const said = words([reason, ...files.map(({ text }) => text), ...edits.map((edit) => edit.new)].join('\n'));
  const own = items.filter((item) => item.skill === skill && item.shouldTrigger && item.assertions.length > 0);
  const heldOut = own.filter(({ prompt }) => !said.includes(words(prompt)));
  const provider = withProposed(library, skill, proposedProvider(skill, after.files));
  const [effect] = await measureEffect({
    provider,
    without: library,
    items: heldOut,
    model,
    judge: model,
    runs,
    concurrency,
    usage: new UsageMeter(),
    signal,
    onProgress: () => undefined,
  });
  if (effect === undefined) return null;
  const { withSkill, withoutSkill, verdict } = effect;
  return { model: id, cases: heldOut.length, quoted: own.length - heldOut.length, withSkill, withoutSkill, verdict };
}

function withProposed(library: SkillProvider, skill: string, proposed: SkillProvider): SkillProvider {
  const of = (name: string): SkillProvider => (name === skill ? proposed : library);
  return {
    label: library.label,
    async listSkills(options) {
      const [listing, { skills }] = [await library.listSkills(options), await proposed.listSkills(options)];
      return { ...listing, skills: [...listing.skills.filter(({ name }) => name !== skill), ...skills] };
    },
    getSkill: (name, options) => of(name).getSkill(name, options),
    readResource: (name, path, options) => of(name).readResource(name, path, options),
  };
}
