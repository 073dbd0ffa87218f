import type { TermScore } from '../index-data/score-segments.ts';
import type { SkillSearchField, SkillCandidate } from '@repertoire/skills-core/internal';

const mostMatches = 8;

/** The words by which a skill was found. */
export function matchesOf(terms: readonly TermScore[]): SkillCandidate['matches'] {
  return terms.slice(0, mostMatches).map(({ text, fields }) => ({
    text,
    fields: (Object.entries(fields) as [SkillSearchField, number][]).sort(([, a], [, b]) => b - a).map(([field]) => field),
  }));
}
