import type { CatalogBudget } from './catalog-budget.ts';
import { rowsByPriority, shortSummary, type CatalogRow, type RowSources } from './catalog-row.ts';
import type { CatalogWriter } from './render-catalog.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';

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
interface TierRequest {
  readonly skills: readonly SkillMetadata[];
  readonly fixed: readonly string[];
  /** How many more skills are not listed in any case. */
  readonly others: number;
}

/** A budget with its counter. */
interface TierLimits extends CatalogBudget, RowSources {
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

/** A way to write the list. */
interface CatalogPlan {
  readonly compact: boolean;
  /** The most characters of a description. */
  readonly width: number;
  /** How many of the skills, highest priority first, have a description. */
  readonly described: number;
  /** How many are listed at all. */
  readonly listed: number;
}

/** What stands in the text besides the rows of a draft. */
interface DraftSurroundings {
  /** Lines that are decided already. */
  readonly fixed: readonly string[];
  /** How many skills the sentence behind the list has room for, at least. */
  readonly reserved: number;
  /** How many more skills there are that are not listed in any case. */
  readonly others: number;
  /** How short descriptions may become. */
  readonly minWidth: number;
}

/** A row as a plan writes it. */
interface WrittenRow {
  readonly shown: string;
  readonly line: string;
}

/** Widths of descriptions are tried in steps, in characters. */
const widthStep = 4;

/** Finds the best way to write rows in so many characters. Lines are made on demand. */
class CatalogDraft {
  readonly #rows: readonly CatalogRow[];
  readonly #around: DraftSurroundings;
  readonly #writer: CatalogWriter;
  readonly #written: Map<number, WrittenRow>[];
  /** Characters between two lines. */
  readonly #separator: number;
  readonly #whole: CatalogPlan;

  /** @param rows those with the highest priority first */
  constructor(rows: readonly CatalogRow[], around: DraftSurroundings, writer: CatalogWriter) {
    this.#rows = rows;
    this.#around = around;
    this.#writer = writer;
    this.#written = rows.map(() => new Map());
    const [one, two] = [[''], ['', '']].map((lines) => writer.whole(lines, 0).length);
    this.#separator = (two as number) - (one as number);
    this.#whole = { compact: false, width: Number.POSITIVE_INFINITY, described: rows.length, listed: rows.length };
  }

  /** Everything, with nothing shortened. */
  get whole(): CatalogPlan {
    return this.#whole;
  }

  /** The row at a place, as a plan writes it. */
  write(index: number, { compact, width, described }: CatalogPlan): WrittenRow {
    const row = this.#rows[index] as CatalogRow;
    const known = this.#written[index] as Map<number, WrittenRow>;
    const most = index < described ? Math.min(width, row.texts().summary.length) : -1;
    const key = compact ? most : -3 - most;
    const before = known.get(key);
    if (before !== undefined) return before;
    const shown = most === -1 ? '' : shortSummary(row, most);
    const written = { shown, line: this.#writer.line(row.skill, shown, compact) };
    known.set(key, written);
    return written;
  }

  /**
   * The best plan in at most so many characters: whole, compact, with descriptions of one width,
   * without the descriptions of the last rows, or without the last rows. With no rows at all where
   * nothing fits.
   */
  within(characters: number): CatalogPlan {
    const count = this.#rows.length;
    const { minWidth } = this.#around;
    if (this.fits(this.#whole, characters)) return this.#whole;
    const names: CatalogPlan = { compact: true, width: minWidth, described: 0, listed: count };
    if (!this.fits(names, characters)) {
      return { ...names, listed: greatest(0, count - 1, (listed) => this.fits({ ...names, listed }, characters)) };
    }
    const narrow: CatalogPlan = { ...names, described: count };
    const described = this.#describedWithin(names, characters);
    if (described < count) return { ...narrow, described };
    const longest = this.#rows.reduce((most, row) => Math.max(most, row.texts().summary.length), minWidth);
    const steps = Math.ceil((longest - minWidth) / widthStep);
    const at = (step: number): CatalogPlan => ({ ...narrow, width: Math.min(longest, minWidth + step * widthStep) });
    return at(greatest(0, steps, (step) => this.fits(at(step), characters)));
  }

  /** Whether a plan takes at most so many characters. Stops as soon as it takes more. */
  fits(plan: CatalogPlan, characters: number): boolean {
    let rest = characters - this.#frame(plan);
    for (let index = 0; index < plan.listed; index += 1) {
      if (rest < 0) return false;
      rest -= this.#separator + this.write(index, plan).line.length;
    }
    return rest >= 0;
  }

  /** How many descriptions fit beside all names. */
  #describedWithin(names: CatalogPlan, characters: number): number {
    let rest = characters - this.#frame(names);
    for (const index of this.#rows.keys()) rest -= this.#separator + this.write(index, names).line.length;
    let described = 0;
    const all = { ...names, described: this.#rows.length };
    for (; described < this.#rows.length; described += 1) {
      rest -= this.write(described, all).line.length - this.write(described, names).line.length;
      if (rest < 0) break;
    }
    return described;
  }

  /** Characters of the text around the rows. */
  #frame({ listed }: CatalogPlan): number {
    const { fixed, reserved, others } = this.#around;
    const notShown = Math.max(reserved, this.#rows.length - listed + others);
    const frame = this.#writer.whole(fixed, notShown).length;
    // The first line has no separator before it.
    return fixed.length === 0 && listed > 0 ? this.#writer.whole([''], notShown).length - this.#separator : frame;
  }
}

/** The greatest number up to which something holds; `low` if it holds for none. */
function greatest(low: number, high: number, holds: (value: number) => boolean): number {
  let [least, most] = [low, high];
  while (least < most) {
    const middle = (least + most + 1) >> 1;
    if (holds(middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}
