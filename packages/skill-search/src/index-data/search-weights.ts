import type { SkillSearchField } from '@repertoire/skills-core/discovery';

/** What a match counts in each field, and two rules besides. */
export interface SearchWeights extends Readonly<Record<SkillSearchField, number>> {
  /** What two neighboring words of the request count that are neighbors in the name or the description, too. */
  readonly phrase: number;
  /** A score is multiplied by the share of the request's words that were found, to this power. */
  readonly coverage: number;
}

/** Round numbers on a wide plateau: `benchmarks/src/search` prints what each change of them does, on prompts of collections that they were not chosen by. */
export const searchWeights: SearchWeights = { name: 2, description: 2, headings: 1, body: 2, phrase: 1.5, coverage: 0.25 };
