import { estimateTokenCount } from 'tokenx';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { shortenText } from './budget-shorten.ts';
import { summaryOf } from './render-catalog.ts';

/** How much room the catalog has in a prompt. Of several limits each is kept. */
export interface CatalogBudget {
  /** The most tokens of the whole text, guidance included. @default no limit */
  readonly maxTokens?: number | undefined;
  /** The most characters (UTF-16 units) of the whole text, guidance included. @default no limit */
  readonly maxCharacters?: number | undefined;
  /** The most tokens of one skill's description. @default no limit */
  readonly maxEntryTokens?: number | undefined;
  /** The most characters of one skill's description. @default no limit */
  readonly maxEntryCharacters?: number | undefined;
  /**
   * How short, in characters, descriptions may become before some skills lose theirs whole: a few words tell a model more than none, but two words of each of a
   * thousand skills tell it nothing.
   * @default 40
   */
  readonly minEntryCharacters?: number | undefined;
  /**
   * How often each skill was used, or any other number by which the higher is kept longer; a skill that is not in it counts 0. Read it once a conversation, from
   * what was known when the conversation began.
   * @default all alike: what comes last in the list goes first
   */
  readonly usage?: Readonly<Record<string, number>> | undefined;
  /** Counts the tokens of a text as the model's tokenizer would. @default an estimate */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/** What the text has to make up for. */
export interface CatalogCut {
  /** The whole did not fit: write the list in as few characters as it can be understood in. */
  readonly compact: boolean;
  /** How many skills are not listed; the text says so, and how they are found. */
  readonly unlisted: number;
}

/**
 * Writes the whole text of a catalog. A skill with an empty description is to be listed by its name alone. Fewer skills, shorter descriptions and `compact`
 * must not give a longer text; the budget is kept all the same, but the best way to keep it may be missed.
 */
export type CatalogRenderer = (entries: readonly SkillMetadata[], cut: CatalogCut) => string;

/** A catalog within its budget, and what that took. Every skill is in `entries` or in `dropped`; names are in the order of the list. */
export interface BudgetedCatalog {
  /** Skills as the text shows them, in the order of the list. Those that fit whole are the very objects that were given. */
  readonly entries: readonly SkillMetadata[];
  /** The text. */
  readonly text: string;
  /** Tokens of the text. */
  readonly tokens: number;
  /** Skills whose description was shortened. */
  readonly shortened: readonly string[];
  /** Skills that are listed without a description. */
  readonly nameOnly: readonly string[];
  /** Skills that are not listed. They can still be loaded by name. */
  readonly dropped: readonly string[];
  /** `false` only where not even the text around an empty list fits. */
  readonly fits: boolean;
}

/** The room that a catalog gets where the host sets none, in tokens: about 4 % of a context of 200,000. */
export const defaultMaxCatalogTokens = 8_000;

const defaultMinEntryCharacters = 40;

/** Widths of descriptions are tried in steps, in characters: a finer one costs more measuring than it gives. */
const widthStep = 4;

/**
 * Fits a catalog into its budget, in four steps, each taken only where the one before was not enough:
 *
 * 1. the list is written compactly;
 * 2. descriptions are shortened to a common width, so the longest give first and short ones stay whole;
 * 3. descriptions are left out, of the least used skills first;
 * 4. skills are left out, the least used first, and the text says how many.
 *
 * The order of the list never changes. Pure: the same input gives the same bytes, so take it once a conversation and hold on to it.
 *
 * @throws {SkillError} `invalid-options` for a limit that is not a positive number
 * @example
 * ```ts
 * import { budgetCatalog, defaultSkillToolNames, renderCatalog, type SkillMetadata } from '@repertoire/skills-core';
 *
 * export function catalogText(skills: readonly SkillMetadata[], usage: Record<string, number>): string {
 *   const { text, dropped } = budgetCatalog(skills, { maxTokens: 4_000, usage }, (entries) => renderCatalog(entries, defaultSkillToolNames));
 *   return dropped.length === 0 ? text : `${text}\n\n${dropped.length} more skills can be loaded by name.`;
 * }
 * ```
 */
export function budgetCatalog(skills: readonly SkillMetadata[], budget: CatalogBudget, render: CatalogRenderer): BudgetedCatalog {
  checkBudget(budget);
  const countTokens = budget.countTokens ?? estimateTokenCount;
  const rows = rowsOf(skills, budget, countTokens);
  const fits = (text: string): boolean =>
    text.length <= (budget.maxCharacters ?? Number.POSITIVE_INFINITY) &&
    (budget.maxTokens === undefined || countTokens(text) <= budget.maxTokens);

  const minWidth = budget.minEntryCharacters ?? defaultMinEntryCharacters;
  const maxWidth = rows.reduce((longest, { summary }) => Math.max(longest, summary.length), minWidth);
  const whole: Plan = { compact: false, width: maxWidth, described: rows.length, listed: rows.length };
  const compact: Plan = { ...whole, compact: true };
  const narrow: Plan = { ...compact, width: minWidth };
  const named: Plan = { ...narrow, described: 0 };

  const attempt = (plan: Plan): Draft => {
    const entries = entriesOf(rows, plan);
    const text = render(entries, { compact: plan.compact, unlisted: rows.length - entries.length });
    return { plan, entries, text, fits: fits(text) };
  };
  /** The best of a range of plans, of which the better cost more. `worst` is taken where none fits. */
  const best = (from: number, to: number, planAt: (at: number) => Plan, worst: Draft): Draft => {
    let found = worst;
    let low = from;
    let high = to;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const draft = attempt(planAt(middle));
      // Only what was measured and fits is ever taken, whatever the counter does.
      if (draft.fits) {
        found = draft;
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return found;
  };

  const search = (): Draft => {
    if (rows.length === 0) return attempt(whole);
    // Asked first, since it is cheap and spares the long texts where there are thousands of skills.
    const names = attempt(named);
    const all = names.fits ? attempt(whole) : undefined;
    if (all?.fits) return all;
    if (!names.fits) return best(1, rows.length - 1, (listed) => ({ ...named, listed }), attempt({ ...named, listed: 0 }));
    const few = attempt(narrow);
    if (!few.fits) return best(1, rows.length - 1, (described) => ({ ...narrow, described }), names);
    return best(
      1,
      Math.ceil((maxWidth - minWidth) / widthStep),
      (step) => ({ ...compact, width: Math.min(maxWidth, minWidth + step * widthStep) }),
      few,
    );
  };
  return reportOf(rows, search(), countTokens);
}

/** A way to write the list. */
interface Plan {
  readonly compact: boolean;
  /** The most characters of a description. */
  readonly width: number;
  /** How many of the skills, best rank first, have a description. */
  readonly described: number;
  /** How many are listed at all. */
  readonly listed: number;
}

interface Draft {
  readonly plan: Plan;
  readonly entries: readonly SkillMetadata[];
  readonly text: string;
  readonly fits: boolean;
}

interface Row {
  readonly skill: SkillMetadata;
  /** What is said of it at most. */
  readonly summary: string;
  /** Whether `summary` is shorter than what the skill says of itself. */
  readonly capped: boolean;
  /** From 0, which is kept longest. */
  readonly rank: number;
}

function rowsOf(skills: readonly SkillMetadata[], budget: CatalogBudget, countTokens: (text: string) => number): Row[] {
  const used = skills.map(({ name }) => {
    const count = budget.usage !== undefined && Object.hasOwn(budget.usage, name) ? budget.usage[name] : 0;
    return typeof count === 'number' && Number.isFinite(count) ? count : 0;
  });
  const ranks: number[] = [];
  const order = skills.map((_, index) => index).sort((a, b) => (used[b] ?? 0) - (used[a] ?? 0) || a - b);
  for (const [rank, index] of order.entries()) ranks[index] = rank;
  return skills.map((skill, index) => {
    const full = summaryOf(skill);
    const summary = capEntry(full, budget, countTokens);
    return { skill, summary, capped: summary !== full, rank: ranks[index] ?? index };
  });
}

function capEntry(full: string, { maxEntryCharacters, maxEntryTokens }: CatalogBudget, countTokens: (text: string) => number): string {
  const summary = maxEntryCharacters === undefined ? full : shortenText(full, maxEntryCharacters);
  if (maxEntryTokens === undefined || countTokens(summary) <= maxEntryTokens) return summary;
  let found = '';
  let low = 1;
  let high = summary.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const shorter = shortenText(summary, middle);
    if (countTokens(shorter) <= maxEntryTokens) {
      found = shorter;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return found;
}

function entriesOf(rows: readonly Row[], { width, described, listed }: Plan): SkillMetadata[] {
  const entries: SkillMetadata[] = [];
  for (const row of rows) {
    if (row.rank >= listed) continue;
    const summary = row.rank < described ? shortenText(row.summary, width) : '';
    entries.push(summary === row.summary && !row.capped ? row.skill : { ...row.skill, description: summary, whenToUse: undefined });
  }
  return entries;
}

function reportOf(rows: readonly Row[], { plan, entries, text, fits }: Draft, countTokens: (text: string) => number): BudgetedCatalog {
  const namesWhere = (test: (row: Row) => boolean): string[] => rows.filter(test).map(({ skill }) => skill.name);
  const shown = (row: Row): string => (row.rank < plan.described ? shortenText(row.summary, plan.width) : '');
  const isListed = (row: Row): boolean => row.rank < plan.listed;
  return {
    entries,
    text,
    tokens: countTokens(text),
    shortened: namesWhere((row) => isListed(row) && shown(row) !== '' && (row.capped || shown(row) !== row.summary)),
    nameOnly: namesWhere((row) => isListed(row) && shown(row) === ''),
    dropped: namesWhere((row) => !isListed(row)),
    fits,
  };
}

function checkBudget(budget: CatalogBudget): void {
  for (const key of ['maxTokens', 'maxCharacters', 'maxEntryTokens', 'maxEntryCharacters', 'minEntryCharacters'] as const) {
    const limit = budget[key];
    if (limit === undefined || limit > 0) continue;
    throw new SkillError(
      'invalid-options',
      `The catalog's budget has ${key} ${limit}. Give a number above 0, or leave it out for no limit.`,
    );
  }
}
