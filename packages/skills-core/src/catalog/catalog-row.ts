import type { SkillMetadata } from '../contract/skill-provider.ts';
import { usesOf, type CatalogBudget } from './catalog-budget.ts';
import { summaryOf } from './render-catalog.ts';
import { ownWords, type OwnWord, type OwnWords, type SummaryWords } from './own-words.ts';
import { shortenDescription, shortenTelling, whenStart, whenStartOf } from './shorten-description.ts';
import { withoutOpeners, type PlainDescription } from './shorten-openers.ts';

/** A skill that is to be written into a catalog. */
export interface CatalogRow {
  readonly skill: SkillMetadata;
  /** Where it stands among the skills. */
  readonly place: number;
  /** Made on demand: in a large library, most skills have room for their name at most. */
  readonly texts: () => RowTexts;
  /** What tells the skills of the list apart. Counted when the first of them is shortened. */
  readonly own: () => OwnWords;
  /** Made on demand: most rows are written whole or as a name. */
  short?: ShortParts;
}

interface ShortParts {
  readonly plain: PlainDescription;
  readonly own: readonly OwnWord[];
}

interface RowTexts {
  /** What the skill says of itself. */
  readonly full: string;
  /** What is shown of it at most. */
  readonly summary: string;
}

/** How long the summary of one skill may be, and what counts its tokens. */
export interface EntryLimits extends Pick<CatalogBudget, 'maxEntryCharacters' | 'maxEntryTokens'> {
  readonly countTokens: (text: string) => number;
}

/** What rows are made with, besides the limits of each. */
export interface RowSources extends Pick<CatalogBudget, 'usage'> {
  readonly words: SummaryWords;
}

/** The rows of some skills, those with the highest priority first. */
export function rowsByPriority(skills: readonly SkillMetadata[], limits: EntryLimits & RowSources): readonly CatalogRow[] {
  const uses = usesOf(limits);
  let found: OwnWords | undefined;
  const own = (): OwnWords => (found ??= ownWords(skills, limits.words));
  const rows = skills.map((skill, place): CatalogRow => {
    let texts: RowTexts | undefined;
    return { skill, place, own, texts: () => (texts ??= textsOf(skill, limits)) };
  });
  return limits.usage === undefined ? rows : rows.sort((a, b) => uses(b.skill) - uses(a.skill));
}

/** The summary of a row in at most so many characters. */
export function shortSummary(row: CatalogRow, maxCharacters: number): string {
  const { full, summary } = row.texts();
  if (summary.length <= maxCharacters) return summary;
  if (row.short === undefined) {
    const plain = withoutOpeners(summary, summary === full ? whenStartOf(row.skill, full) : whenStart(summary));
    row.short = { plain, own: row.own().of(row.skill, plain.text) };
  }
  return shortenTelling(row.short.plain, maxCharacters, row.short.own);
}

function textsOf(skill: SkillMetadata, limits: EntryLimits): RowTexts {
  const full = summaryOf(skill);
  return { full, summary: withinEntryLimits(skill, full, limits) };
}

function withinEntryLimits(
  skill: SkillMetadata,
  full: string,
  { maxEntryCharacters = full.length, maxEntryTokens, countTokens }: EntryLimits,
): string {
  const summary = full.length <= maxEntryCharacters ? full : shortenDescription(full, maxEntryCharacters, whenStartOf(skill, full));
  if (maxEntryTokens === undefined || countTokens(summary) <= maxEntryTokens) return summary;
  let found = '';
  let [low, high] = [1, summary.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const shorter = shortenDescription(summary, middle);
    if (countTokens(shorter) <= maxEntryTokens) {
      found = shorter;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found;
}
