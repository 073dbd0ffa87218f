import type { SkillSearchField } from '@repertoire/skills-core/internal';

/** Weight of a match in each field, and two more parameters. */
export interface SearchWeights extends Readonly<Record<SkillSearchField, number>> {
  /** Weight of neighbors in the request that are neighbors in the name or description. */
  readonly phrase: number;
  /** Exponent of the coverage: the share of the request's words that were found. */
  readonly coverage: number;
}

/**
 * Round numbers on a wide plateau: see `benchmarks/src/search`. References are long and of many
 * topics, so they count little.
 */
export const searchWeights: SearchWeights = {
  name: 2,
  description: 2,
  headings: 1,
  body: 2,
  references: 0.25,
  phrase: 1.5,
  coverage: 0.25,
};
