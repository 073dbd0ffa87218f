import type { TermScore } from '../index-data/score-segments.ts';
import type { SkillSearchField } from '@repertoire/skills-core/discovery';
import type { SkillSearchMatch } from '@repertoire/skills-core/discovery';

/** More words than these tell nobody more. */
const mostMatches = 8;

/** The words that a skill was found by. */
export function matchesOf(terms: readonly TermScore[]): SkillSearchMatch[] {
  return terms.slice(0, mostMatches).map(({ text, fields }) => ({
    text,
    fields: (Object.entries(fields) as [SkillSearchField, number][]).sort(([, a], [, b]) => b - a).map(([field]) => field),
  }));
}
