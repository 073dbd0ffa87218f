import type { TermScore } from '../index-data/score-segments.ts';
import type { SkillField } from '../index-data/posting.ts';
import type { SkillSearchMatch } from './skill-search.ts';

/** More words than these tell nobody more. */
const mostMatches = 8;

/** The words that a skill was found by. */
export function matchesOf(terms: readonly TermScore[]): SkillSearchMatch[] {
  return terms.slice(0, mostMatches).map(({ text, fields }) => ({
    text,
    fields: (Object.entries(fields) as [SkillField, number][]).sort(([, a], [, b]) => b - a).map(([field]) => field),
  }));
}
