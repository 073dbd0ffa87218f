import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import type { CatalogBudget } from './catalog-budget.ts';
import { CatalogDraft, type CatalogPlan } from './catalog-draft.ts';
import { rowsByPriority, type CatalogRow, type RowSources } from './catalog-row.ts';
import type { CatalogWriter } from './render-catalog.ts';

const defaultMinEntryCharacters = 40;
/** Plans that are tried once one fits. Each may cost a count of the whole budget. */
const maxTries = 6;
/** A text that uses this part of its tokens is not written again to use more. */
const closeEnough = 0.95;
/** How much less than what likely fits is tried first: a text that is too long costs a count. */
const margin = 0.02;
/** A guess of how many characters a token has, until a sample is counted. */
const charactersPerToken = 3.5;
/** Texts of up to so many characters are counted without a thought. */
const cheapCharacters = 16_000;
const sampleLength = 4_000;

/** The largest number in the sentence after the list. Reserved while trusted skills are fitted. */
const reservedUnlisted = 100_000;

/** Skills to fit, beside lines that are decided already. */
export interface TierRequest {
  readonly skills: readonly SkillMetadata[];
  readonly fixed: readonly string[];
  /** How many more skills are not listed in any case. */
  readonly others: number;
}

/** A budget with its counter. */
export interface TierLimits extends CatalogBudget, RowSources {
  readonly countTokens: (text: string) => number;
}

/** A skill as it is written. */
export interface FittedSkill {
  readonly skill: SkillMetadata;
  /** How much the text says of it. */
  readonly shown: 'all' | 'part' | 'name' | 'nothing';
  /** `undefined` if it is not listed. */
  readonly line: string | undefined;
}

/** Fits trusted or untrusted skills into the room that is left, in their order. */
export function fitTier({ skills, fixed, others }: TierRequest, limits: TierLimits, writer: CatalogWriter): readonly FittedSkill[] {
  const { countTokens, maxTokens = Number.POSITIVE_INFINITY, maxCharacters = Number.POSITIVE_INFINITY } = limits;
  const rows = rowsByPriority(skills, limits);
  const reserved = skills.some(isTrusted) ? reservedUnlisted : 0;
  const minWidth = limits.minEntryCharacters ?? defaultMinEntryCharacters;
  const draft = new CatalogDraft(rows, { fixed, reserved, others, minWidth }, writer);
  const row = (index: number) => rows[index] as CatalogRow;
  const order = [...rows.keys()].sort((a, b) => row(a).place - row(b).place);
  // Without the reserved sentence: in most catalogs all skills are listed.
  const textOf = (plan: CatalogPlan) => {
    const lines = order.filter((index) => index < plan.listed).map((index) => draft.write(index, plan).line);
    return writer.whole([...fixed, ...lines], reserved > 0 ? 0 : skills.length - plan.listed + others);
  };
  const [bare, frame] = [writer.whole([], 0), writer.whole([], reserved)];
  const forSentence = bare === frame || limits.maxTokens === undefined ? 0 : countTokens(frame) - countTokens(bare);
  const measure = (text: string): Measured => ({
    characters: text.length + frame.length - bare.length,
    tokens: countTokens(text) + forSentence,
  });
  const plan = bestPlan(draft, textOf, { maxTokens, maxCharacters, countTokens, measure });
  return order.map((index) => {
    const { skill, texts } = row(index);
    if (index >= plan.listed) return unlisted(skill);
    const { shown, line } = draft.write(index, plan);
    return { skill, shown: shown === '' ? 'name' : shown === texts().full ? 'all' : 'part', line };
  });
}

/** A skill that is left out. */
export function unlisted(skill: SkillMetadata): FittedSkill {
  return { skill, shown: 'nothing', line: undefined };
}

/** The lines of the skills that are listed. */
export function linesOf(skills: readonly FittedSkill[]): readonly string[] {
  return skills.flatMap(({ line }) => line ?? []);
}

interface Measured {
  readonly characters: number;
  readonly tokens: number;
}

interface TokenLimits {
  readonly maxTokens: number;
  readonly maxCharacters: number;
  readonly countTokens: (text: string) => number;
  readonly measure: (text: string) => Measured;
}

/**
 * The best plan within the tokens. Plans are made by characters, which costs little; what a
 * character takes in tokens is known from the text that was counted before. Only plans whose text
 * was counted, and fits, are ever returned; a counter that finds every text too long gets no rows.
 */
function bestPlan(draft: CatalogDraft, textOf: (plan: CatalogPlan) => string, limits: TokenLimits): CatalogPlan {
  const { maxTokens, maxCharacters, countTokens, measure } = limits;
  if (draft.whole.listed === 0) return draft.whole;
  if (maxTokens === Number.POSITIVE_INFINITY) return draft.within(maxCharacters);
  const counted = new Map<string, Measured>();
  const measured = (plan: CatalogPlan): Measured => {
    const key = JSON.stringify(plan);
    const known = counted.get(key) ?? measure(textOf(plan));
    counted.set(key, known);
    return known;
  };
  const wholeFits = (characters: number) =>
    draft.fits(draft.whole, Math.min(maxCharacters, characters)) && measured(draft.whole).tokens <= maxTokens;
  if (wholeFits(cheapCharacters)) return draft.whole;
  /** Plans in `low` characters fit, plans in `high` do not. */
  let [low, high] = [0, maxCharacters + 1];
  let best: CatalogPlan | undefined;
  const perToken = perTokenOf(textOf(draft.within(maxTokens * charactersPerToken)), countTokens);
  let next = Math.min(maxCharacters, Math.floor(maxTokens * perToken * (1 - margin)));
  // What fits must not be touched, so what nearly fits is counted.
  if (wholeFits(next * 1.2)) return draft.whole;
  for (let tries = 1; best === undefined || tries <= maxTries; tries += 1) {
    const plan = draft.within(next);
    const { characters, tokens } = measured(plan);
    if (tokens <= maxTokens) {
      best = plan;
      low = next;
      if (next >= maxCharacters || (characters > cheapCharacters && tokens >= maxTokens * closeEnough)) break;
    } else if (plan.listed === 0) return plan;
    else high = next;
    const likely = Math.floor((characters / Math.max(1, tokens)) * maxTokens * (1 - 0.008 * tries));
    if (likely > low && likely < high) next = likely;
    // Plans go in steps, so there may be none between what fits and what does not.
    else if (best !== undefined) break;
    else next = Math.floor(high / 2);
  }
  return best;
}

/** How many characters a token has, by a sample of the lines. */
function perTokenOf(text: string, countTokens: TokenLimits['countTokens']): number {
  const step = Math.max(1, Math.floor(text.length / sampleLength));
  const sample = text
    .split('\n')
    .filter((_, index) => index % step === 0)
    .join('\n');
  return sample.length / Math.max(1, countTokens(sample));
}
