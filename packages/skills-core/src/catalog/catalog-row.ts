import type { SkillMetadata } from '../contract/skill-provider.ts';
import { usesOf, type CatalogBudget } from './catalog-budget.ts';
import { summaryOf } from './render-catalog.ts';
import { shortenDescription, whenStart, whenStartOf } from './shorten-description.ts';

/** A skill that is to be written into a catalog. What it says is looked at when it is first asked for: in a large library, most skills have room for their name at most. */
export class CatalogRow {
  readonly skill: SkillMetadata;
  readonly #limits: EntryLimits;
  #full: string | undefined;
  #summary: string | undefined;
  #when: number | undefined;

  constructor(skill: SkillMetadata, limits: EntryLimits) {
    this.skill = skill;
    this.#limits = limits;
  }

  /** What the skill says of itself. */
  get full(): string {
    return (this.#full ??= summaryOf(this.skill));
  }

  /** What is shown of it at most. */
  get summary(): string {
    return (this.#summary ??= withinEntryLimits(this.skill, this.full, this.#limits));
  }

  /** The summary in at most so many characters. Its parts are looked for when it is first shortened. */
  within(maxCharacters: number): string {
    const { skill, summary, full } = this;
    if (summary.length <= maxCharacters) return summary;
    this.#when ??= summary === full ? whenStartOf(skill, full) : whenStart(summary);
    return shortenDescription(summary, maxCharacters, this.#when);
  }
}

/** How long the summary of one skill may be, and what counts its tokens. */
export interface EntryLimits extends Pick<CatalogBudget, 'maxEntryCharacters' | 'maxEntryTokens'> {
  readonly countTokens: (text: string) => number;
}

/** The rows of some skills, those with the highest priority first. */
export function rowsByPriority(
  skills: readonly SkillMetadata[],
  limits: EntryLimits & Pick<CatalogBudget, 'usage'>,
): readonly CatalogRow[] {
  const uses = usesOf(limits);
  const ordered = limits.usage === undefined ? skills : [...skills].sort((a, b) => uses(b) - uses(a));
  return ordered.map((skill) => new CatalogRow(skill, limits));
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
