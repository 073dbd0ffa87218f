import { numberOption } from '@repertoire/skills-core/provider';
import { Pace } from '../library/pace.ts';
import { skillText } from '../text/skill-text.ts';
import type { AnalyzedSkill } from './analyzed-skill.ts';
import { termVectors, type TermVector } from './term-vectors.ts';

/** Two skills that a reader of their texts could take for one another. */
export interface AlikeSkills {
  readonly skills: readonly [string, string];
  /** From 0 (no word in common) to 1 (the same words): the cosine of the weighed words. */
  readonly likeness: number;
  /** How much of what the first one says the second one says too, and the other way around: shares of the weighed words, from 0 to 1. */
  readonly covered: readonly [number, number];
  /** The words that they share, by what each adds to the likeness; what adds most comes first. At most ten. */
  readonly shared: readonly { readonly word: string; readonly share: number }[];
}

/** Options of {@link alikeSkills}. */
export interface AlikeSkillsOptions {
  /** What is compared: the description and tags, by which a model chooses, or the instructions. @default 'description' */
  readonly of?: 'description' | 'body' | undefined;
  /** The least likeness that is told, above 0 and up to 1. @default 0.5 */
  readonly least?: number | undefined;
  /** How many pairs are told at most, the most alike first. @default 1_000 */
  readonly limit?: number | undefined;
}

const mostShared = 10;

/**
 * Finds pairs of skills with much the same words: near duplicates, and descriptions that compete for the same requests.
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
  const rules = { of: 'alikeSkills' };
  const least = numberOption('least', options.least, { ...rules, fallback: 0.5, least: Number.EPSILON, most: 1 });
  const limit = numberOption('limit', options.limit, { ...rules, fallback: 1_000, least: 1 });
  const texts = skills.map((skill) => skillText(skill, skill.body ?? '')[options.of ?? 'description']);
  const { vectors, wordOf } = termVectors(texts);
  const pace = new Pace();
  const having = new Map<number, { readonly skill: number; readonly weight: number }[]>();
  let found: { readonly a: number; readonly b: number; readonly likeness: number }[] = [];
  const best = () =>
    found.sort((first, second) => second.likeness - first.likeness || first.a - second.a || first.b - second.b).slice(0, limit);
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
    // A library of copies has as many pairs as its square.
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

/** The share of a vector that lies along the words of another one: vectors have length 1, so squares add up to 1. */
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
