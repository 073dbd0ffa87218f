import { assertKnownOptions, numberOption, Pace, type OptionRules } from '@repertoire/skills-core/internal';
import { skillText } from '../text/skill-text.ts';
import type { AnalyzedSkill } from './analyzed-skill.ts';
import { termVectors, type TermVector } from './term-vectors.ts';

/** Two skills whose texts are easily confused. */
export interface AlikeSkills {
  readonly skills: readonly [string, string];
  /** Cosine of the weighted words, from 0 (no common word) to 1 (the same words). */
  readonly likeness: number;
  /** Share of the first skill's weighted words in the second, and the reverse. From 0 to 1. */
  readonly covered: readonly [number, number];
  /** The common words, in descending order of what each adds to the likeness. At most ten. */
  readonly shared: readonly { readonly word: string; readonly share: number }[];
}

/** Options of {@link alikeSkills}. */
export interface AlikeSkillsOptions {
  /** What is compared: description and tags, or the instructions. @default 'description' */
  readonly of?: 'description' | 'body' | undefined;
  /** Minimum likeness to report, above 0 and up to 1. @default 0.5 */
  readonly least?: number | undefined;
  /** Maximum number of pairs, the most alike first. @default 1_000 */
  readonly limit?: number | undefined;
}

const mostShared = 10;

const knownOptions: OptionRules<AlikeSkillsOptions> = {
  of: { description: true, body: true },
  least: 'number',
  limit: 'number',
};

/**
 * Finds pairs of skills with similar words: near duplicates, and descriptions that compete for the
 * same requests.
 *
 * @throws {SkillError} `invalid-options` for numbers out of range
 * @example
 * ```ts
 * import { alikeSkills } from '@repertoire/skill-search/analysis';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function warnings(provider: SkillProvider): Promise<string[]> {
 *   const alike = await alikeSkills((await provider.listSkills()).skills, { least: 0.6 });
 *   return alike.map(({ skills, shared }) => `${skills.join(' and ')} share ${shared.map(({ word }) => word).join(', ')}.`);
 * }
 * ```
 */
export async function alikeSkills(skills: readonly AnalyzedSkill[], options: AlikeSkillsOptions = {}): Promise<AlikeSkills[]> {
  assertKnownOptions('alikeSkills', options, knownOptions);
  const rules = { of: 'alikeSkills' };
  const least = numberOption('least', options.least, { ...rules, fallback: 0.5, least: Number.EPSILON, most: 1 });
  const limit = numberOption('limit', options.limit, { ...rules, fallback: 1_000, least: 1 });
  const texts = skills.map((skill) => skillText(skill, skill.body ?? '')[options.of ?? 'description']);
  const { vectors, wordOf } = termVectors(texts);
  const pace = new Pace();
  const having = new Map<number, { readonly skill: number; readonly weight: number }[]>();
  let found: { readonly a: number; readonly b: number; readonly likeness: number }[] = [];
  // They are found in the order of `b`, which sorting keeps.
  const best = () => found.sort((first, second) => second.likeness - first.likeness || first.a - second.a).slice(0, limit);
  for (const [b, vector] of vectors.entries()) {
    const likenesses = new Float64Array(b);
    let work = 0;
    for (const [term, weight] of vector) {
      const others = having.get(term) ?? [];
      for (const other of others) likenesses[other.skill] = (likenesses[other.skill] as number) + other.weight * weight;
      work += others.length;
      having.set(term, others);
      others.push({ skill: b, weight });
    }
    for (const [a, likeness] of likenesses.entries()) if (likeness >= least) found.push({ a, b, likeness: Math.min(1, likeness) });
    // A library of copies has quadratically many pairs.
    if (found.length > 2 * limit + 10_000) found = best();
    await pace.spend(work / 4);
  }
  return best().map(({ a, b, likeness }) => {
    const [first, second] = [vectors[a] ?? new Map(), vectors[b] ?? new Map()];
    return {
      skills: [skills[a]?.name ?? '', skills[b]?.name ?? ''],
      likeness,
      covered: [coveredShare(first, second), coveredShare(second, first)],
      shared: sharedWords(first, second, wordOf),
    };
  });
}

/**
 * Returns the share of one vector that the other covers. Vectors have length 1, so the squares of
 * the shared words add up to the share.
 */
function coveredShare(of: TermVector, by: TermVector): number {
  let share = 0;
  for (const [term, weight] of of) if (by.has(term)) share += weight * weight;
  return Math.min(1, share);
}

function sharedWords(a: TermVector, b: TermVector, wordOf: (term: number) => string): AlikeSkills['shared'] {
  const shared: { word: string; share: number }[] = [];
  for (const [term, weight] of a) {
    const other = b.get(term);
    if (other !== undefined) shared.push({ word: wordOf(term), share: weight * other });
  }
  return shared.sort((first, second) => second.share - first.share || (first.word < second.word ? -1 : 1)).slice(0, mostShared);
}
