import { estimateTokenCount } from 'tokenx';
import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { shortenDescription, whenStart, whenStartOf } from './shorten-description.ts';
import { LineCounter } from './line-counter.ts';
import { summaryOf, type CatalogWriter } from './render-catalog.ts';

/** Limits for the size of the catalog in a prompt. All limits apply. */
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
   * How short, in characters, descriptions may become before some skills lose theirs entirely: a few words tell a model more than none, but
   * two words of each of a thousand skills tell it nothing.
   * @default 40
   */
  readonly minEntryCharacters?: number | undefined;
  /**
   * Priority per skill, such as how often it was used; lower values are shortened and dropped first. Read it once per conversation. It
   * orders trusted skills, and separately untrusted skills, which only get the budget that the trusted ones leave.
   * @default 0 for every skill: what comes last in the list is dropped first
   */
  readonly usage?: Readonly<Record<string, number>> | undefined;
  /** Counts the tokens of a text as the model's tokenizer would. @default an estimate */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/** A catalog within its budget, and what was cut. Names are in the order of the list. */
export interface BudgetedCatalog {
  readonly text: string;
  /** Tokens of the text. */
  readonly tokens: number;
  /** Skills whose description was shortened. */
  readonly shortened: readonly string[];
  /** Skills that are listed without a description. */
  readonly nameOnly: readonly string[];
  /** Skills that are not listed. They can still be loaded by name. */
  readonly dropped: readonly string[];
  /** `false` only if not even the text around an empty list fits. */
  readonly fits: boolean;
}

/** The default token budget of a catalog: about 4 % of a context of 200,000. */
export const defaultMaxCatalogTokens = 8_000;

const defaultMinEntryCharacters = 40;
/** Widths of descriptions are tried in steps, in characters: a finer one costs more counting than it gains. */
const widthStep = 4;
/** How often a width is tried. Each try counts no more tokens than the budget has. */
const maxTries = 8;

/**
 * The largest number of unlisted skills that the sentence after the list may name. Its length is reserved while trusted skills are fitted, so
 * that their lines do not depend on untrusted skills.
 */
const reservedUnlisted = 100_000;

/**
 * Fits a catalog into its budget, in four steps, each taken only if the one before was not enough:
 *
 * 1. the list is written compactly;
 * 2. descriptions are shortened to a common width, so the longest give first and short ones stay whole;
 * 3. descriptions are left out, of the lowest priority first;
 * 4. skills are left out, of the lowest priority first, and the text says how many.
 *
 * Trusted skills are fitted first, as if there were no others; untrusted ones get the room that is left. So no untrusted source can change
 * the line of a trusted skill. The order of the list never changes. Pure: the same input gives the same bytes. Tokens are counted per line
 * and each line only once; the whole text is counted at the end, and shortened further if the counter finds it longer than its lines.
 *
 * @param others how many more skills there are, which are not listed whatever the room; the text says so
 * @throws {SkillError} `invalid-options` for a limit that is not a positive number
 */
export function budgetCatalog(
  skills: readonly SkillMetadata[],
  budget: CatalogBudget,
  writer: CatalogWriter,
  others: number = 0,
): BudgetedCatalog {
  checkBudget(budget);
  const countTokens = budget.countTokens ?? estimateTokenCount;
  const limits: Limits = { ...budget, countTokens, maxTokens: budget.maxTokens ?? Number.POSITIVE_INFINITY };
  const countWhole = rememberLast(limits.countTokens);
  const trusted = skills.filter(isTrusted);
  const untrusted = skills.filter((skill) => !isTrusted(skill));
  const fit = (tier: readonly SkillMetadata[], fixed: readonly string[], isLast: boolean) =>
    fitTier({ skills: tier, fixed, isLast, others }, limits, writer, countWhole);
  const first = fit(trusted, [], untrusted.length === 0);
  const second = fit(untrusted, first.listed, true);
  const entries = new Map([...first.entries, ...second.entries].map((entry) => [entry.skill, entry]));
  const inOrder = skills.flatMap((skill) => entries.get(skill) ?? []);
  const lines = inOrder.flatMap(({ line }) => line ?? []);
  const text = writer.whole(lines, { compact: first.compact, unlisted: skills.length - lines.length + others });
  const tokens = countWhole(text);
  const namesWhere = (test: (entry: Entry) => boolean): string[] => inOrder.filter(test).map(({ skill }) => skill.name);
  return {
    text,
    tokens,
    shortened: namesWhere(({ line, shown, full }) => line !== undefined && shown !== '' && shown !== full),
    nameOnly: namesWhere(({ line, shown }) => line !== undefined && shown === ''),
    dropped: namesWhere(({ line }) => line === undefined),
    fits: tokens <= limits.maxTokens && text.length <= (limits.maxCharacters ?? Number.POSITIVE_INFINITY),
  };
}

/** A skill as it is written. */
interface Entry {
  readonly skill: SkillMetadata;
  /** What the skill says of itself, and what of it is shown. */
  readonly full: string;
  readonly shown: string;
  /** `undefined` if it is not listed. */
  readonly line: string | undefined;
}

/** Skills that were fitted. */
interface Tier {
  readonly entries: readonly Entry[];
  readonly listed: readonly string[];
  readonly compact: boolean;
}

/** What is to be fitted. */
interface TierRequest {
  readonly skills: readonly SkillMetadata[];
  /** Lines that are decided already. */
  readonly fixed: readonly string[];
  /** Whether no other skills are fitted after these. */
  readonly isLast: boolean;
  /** How many skills are not listed in any case. */
  readonly others: number;
}

/** Fits skills beside lines that are decided already. */
function fitTier(request: TierRequest, limits: Limits, writer: CatalogWriter, countWhole: Limits['countTokens']): Tier {
  const { skills, fixed, isLast, others } = request;
  const reserved = fixed.length > 0 || skills.some(isTrusted) ? reservedUnlisted : 0;
  const rows = rowsOf(skills, limits);
  let over = 0;
  for (let attempt = 0; ; attempt += 1) {
    const drafter = new Drafter(rows, fixed, { reserved, others }, { ...limits, maxTokens: limits.maxTokens - over }, writer);
    const plan = drafter.best();
    const entries = drafter.entries(plan);
    const listed = entries.flatMap(({ line }) => line ?? []);
    const tier: Tier = { entries, listed, compact: plan.compact };
    if (plan.listed === 0 || attempt === maxTries) return tier;
    const unlisted = isLast ? skills.length - plan.listed + others : reserved;
    const tokens = countWhole(writer.whole([...fixed, ...listed], { compact: plan.compact, unlisted }));
    // A tokenizer may count a text differently from its lines. Never assume that it does not.
    if (tokens <= limits.maxTokens) return tier;
    over += Math.max(tokens - limits.maxTokens, Math.ceil(tokens / 100)) * (attempt + 1);
  }
}

/** A way to write the list. */
interface Plan {
  readonly compact: boolean;
  /** The most characters of a description. */
  readonly width: number;
  /** How many of the skills, highest priority first, have a description. */
  readonly described: number;
  /** How many are listed at all. */
  readonly listed: number;
}

interface Row {
  readonly skill: SkillMetadata;
  /** What is said of it at most. */
  readonly summary: string;
  /** What the skill says of itself. */
  readonly full: string;
  /** Where the part of the summary begins that says when to use the skill. Looked for when the summary is first shortened. */
  when?: number;
  /** From 0, which is kept longest. */
  readonly rank: number;
  /** Ways in which its line was written before, by {@link keyOf}: plans are tried often, and most of them write a line alike. */
  readonly written: Map<number, WrittenLine>;
}

/** A line and what it costs. */
interface WrittenLine {
  readonly shown: string;
  readonly line: string;
  /** Counted when it is first asked for. */
  tokens?: number;
}

/** What the line of a row depends on: its width, or 0 for the name alone; negative in the longer form. */
function keyOf({ rank }: Row, { width, described, compact }: Plan): number {
  const key = rank < described ? width + 1 : 0;
  return compact ? key : -1 - key;
}

type Limits = CatalogBudget & { readonly countTokens: (text: string) => number; readonly maxTokens: number };

/** The skills that the sentence behind the list has to have room for. */
interface UnlistedRoom {
  readonly reserved: number;
  readonly others: number;
}

class Drafter {
  readonly #rows: readonly Row[];
  readonly #byRank: readonly Row[];
  readonly #limits: Limits;
  readonly #writer: CatalogWriter;
  readonly #lines: LineCounter;
  readonly #fixed: readonly string[];
  readonly #unlisted: UnlistedRoom;

  constructor(rows: readonly Row[], fixed: readonly string[], unlisted: UnlistedRoom, limits: Limits, writer: CatalogWriter) {
    this.#limits = limits;
    this.#writer = writer;
    this.#fixed = fixed;
    this.#unlisted = unlisted;
    this.#lines = LineCounter.of(limits.countTokens);
    this.#rows = rows;
    this.#byRank = [...this.#rows].sort((a, b) => a.rank - b.rank);
  }

  /** The best plan that fits. */
  best(): Plan {
    const count = this.#rows.length;
    const minWidth = this.#limits.minEntryCharacters ?? defaultMinEntryCharacters;
    const maxWidth = this.#rows.reduce((longest, { summary }) => Math.max(longest, summary.length), minWidth);
    const whole: Plan = { compact: false, width: maxWidth, described: count, listed: count };
    const names: Plan = { compact: true, width: minWidth, described: 0, listed: count };
    if (count === 0 || this.#rest(whole) >= 0) return whole;
    if (this.#rest(names) < 0) return { ...names, listed: this.#prefix(names) };
    const narrow: Plan = { ...names, described: count };
    const room = this.#rest(narrow);
    if (room < 0) return { ...narrow, described: this.#prefix(narrow) };
    return this.#widest(narrow, room, maxWidth);
  }

  /** Whether a plan fits: the tokens that are left, or a negative number. It stops counting as soon as the room is used up. */
  #rest(plan: Plan): number {
    const { reserved, others } = this.#unlisted;
    const unlisted = Math.max(reserved, this.#rows.length - plan.listed + others);
    const frame = this.#writer.whole([], { compact: plan.compact, unlisted });
    let tokens = this.#limits.maxTokens - this.#lines.count(frame);
    let characters = (this.#limits.maxCharacters ?? Number.POSITIVE_INFINITY) - frame.length;
    for (const line of this.#fixed) {
      characters -= line.length + 1;
      tokens -= this.#lines.count(line);
    }
    for (const row of this.#byRank) {
      if (row.rank >= plan.listed) break;
      const written = this.#written(row, plan);
      characters -= written.line.length + 1;
      if (characters < 0 || tokens < 0) return -1;
      tokens -= written.tokens ??= this.#lines.count(written.line);
    }
    return tokens;
  }

  /** How many rows fit, in order of priority: as many names, or as many descriptions on top of all names. */
  #prefix(plan: Plan): number {
    const isNames = plan.described === 0;
    let [low, high] = [0, this.#rows.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#rest(isNames ? { ...plan, listed: middle } : { ...plan, described: middle }) >= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The widest descriptions that fit. The first guess follows from how many tokens a character takes. */
  #widest(narrow: Plan, room: number, maxWidth: number): Plan {
    if (!Number.isFinite(room)) return this.#widestByCharacters(narrow, maxWidth);
    const steps = Math.ceil((maxWidth - narrow.width) / widthStep);
    const widthAt = (step: number) => Math.min(maxWidth, narrow.width + step * widthStep);
    const charactersAt = (width: number) => this.#rows.reduce((sum, { summary }) => sum + Math.min(width, summary.length), 0);
    const base = charactersAt(narrow.width);
    const perCharacter = (this.#limits.maxTokens - room) / Math.max(1, base + this.#rows.length * 10);
    let guess = 0;
    while (guess < steps && (charactersAt(widthAt(guess + 1)) - base) * perCharacter <= room) guess += 1;
    let [low, high] = [0, steps];
    for (let attempt = 0; attempt < maxTries && low < high; attempt += 1) {
      const step = attempt === 0 ? Math.max(1, guess) : (low + high + 1) >> 1;
      const rest = this.#rest({ ...narrow, width: widthAt(step) });
      if (rest >= 0) low = step;
      else high = step - 1;
      // Close enough: what is left would not pay for another count.
      if (rest >= 0 && rest < this.#limits.maxTokens / 50) break;
    }
    return { ...narrow, width: widthAt(low) };
  }

  #widestByCharacters(narrow: Plan, maxWidth: number): Plan {
    let [low, high] = [0, Math.ceil((maxWidth - narrow.width) / widthStep)];
    const at = (step: number): Plan => ({ ...narrow, width: Math.min(maxWidth, narrow.width + step * widthStep) });
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#rest(at(middle)) >= 0) low = middle;
      else high = middle - 1;
    }
    return at(low);
  }

  #written(row: Row, plan: Plan): WrittenLine {
    const key = keyOf(row, plan);
    const known = row.written.get(key);
    if (known !== undefined) return known;
    const shown = row.rank < plan.described ? shorten(row, plan.width) : '';
    const written: WrittenLine = { shown, line: this.#writer.line(row.skill, shown, plan.compact) };
    row.written.set(key, written);
    return written;
  }

  entries(plan: Plan): Entry[] {
    return this.#rows.map((row) => {
      const { shown, line } = this.#written(row, plan);
      return { skill: row.skill, full: row.full, shown, line: row.rank < plan.listed ? line : undefined };
    });
  }
}

/** The same counter, which does not count a text twice in a row: the last text that is fitted is the one that is returned. */
function rememberLast(countTokens: (text: string) => number): (text: string) => number {
  let last: { readonly text: string; readonly tokens: number } | undefined;
  return (text) => {
    if (text !== last?.text) last = { text, tokens: countTokens(text) };
    return last.tokens;
  };
}

function rowsOf(skills: readonly SkillMetadata[], limits: Limits): Row[] {
  const { usage } = limits;
  const used = skills.map(({ name }) => {
    const count = usage !== undefined && Object.hasOwn(usage, name) ? usage[name] : 0;
    return typeof count === 'number' && Number.isFinite(count) ? count : 0;
  });
  const order = skills.map((_, index) => index).sort((a, b) => (used[b] ?? 0) - (used[a] ?? 0) || a - b);
  const ranks: number[] = [];
  for (const [rank, index] of order.entries()) ranks[index] = rank;
  return skills.map((skill, index) => {
    const full = summaryOf(skill);
    return { skill, summary: capEntry(skill, full, limits), full, rank: ranks[index] ?? index, written: new Map() };
  });
}

/** Most rows are written whole or as a name, so where their *when* begins is looked for only here. */
function shorten(row: Row, width: number): string {
  const { skill, summary, full } = row;
  if (summary.length <= width) return summary;
  row.when ??= summary === full ? whenStartOf(skill, full) : whenStart(summary);
  return shortenDescription(summary, width, row.when);
}

function capEntry(skill: SkillMetadata, full: string, { maxEntryCharacters, maxEntryTokens, countTokens }: Limits): string {
  const isWhole = maxEntryCharacters === undefined || full.length <= maxEntryCharacters;
  const summary = isWhole ? full : shortenDescription(full, maxEntryCharacters, whenStartOf(skill, full));
  if (maxEntryTokens === undefined || countTokens(summary) <= maxEntryTokens) return summary;
  let found = '';
  let low = 1;
  let high = summary.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const shorter = shortenDescription(summary, middle);
    if (countTokens(shorter) <= maxEntryTokens) {
      found = shorter;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return found;
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
