import type { SkillMetadata } from '../contract/skill-provider.ts';
import { usesOf, type CatalogBudget } from './catalog-budget.ts';
import { summaryOf } from './render-catalog.ts';
import { shortenDescription, whenStart, whenStartOf } from './shorten-description.ts';

/** A skill that is to be written into a catalog. */
export interface CatalogRow {
  readonly skill: SkillMetadata;
  /** What the skill says of itself. */
  readonly full: string;
  /** What is shown of it at most. */
  readonly summary: string;
  /** Where the part of the summary begins that says when to use the skill. Looked for when the summary is first shortened. */
  when?: number;
}

/** The rows of some skills, those with the highest priority first. */
export function rowsByPriority(
  skills: readonly SkillMetadata[],
  budget: CatalogBudget,
  countTokens: (text: string) => number,
): readonly CatalogRow[] {
  const uses = usesOf(budget);
  const ordered = budget.usage === undefined ? skills : [...skills].sort((a, b) => uses(b) - uses(a));
  return ordered.map((skill) => {
    const full = summaryOf(skill);
    return { skill, full, summary: withinEntryLimits(skill, full, budget, countTokens) };
  });
}

/** The summary of a row in at most so many characters. Most rows are written whole or as a name, so its parts are looked for only here. */
export function shortSummary(row: CatalogRow, maxCharacters: number): string {
  const { skill, summary, full } = row;
  if (summary.length <= maxCharacters) return summary;
  row.when ??= summary === full ? whenStartOf(skill, full) : whenStart(summary);
  return shortenDescription(summary, maxCharacters, row.when);
}

function withinEntryLimits(
  skill: SkillMetadata,
  full: string,
  { maxEntryCharacters = full.length, maxEntryTokens }: CatalogBudget,
  countTokens: (text: string) => number,
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
