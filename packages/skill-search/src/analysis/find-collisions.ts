import { splitReferrals } from '../text/without-referrals.ts';
import { wordStems } from '../text/word-stems.ts';
import { alikeSkills } from './alike-skills.ts';
import type { AnalyzedSkill } from './analyzed-skill.ts';
import { refersTo } from './refers-to.ts';

/** Two skills whose descriptions claim the same requests. */
export interface SkillCollision {
  readonly skills: readonly [string, string];
  /** From 0 to 1: how alike the weighed words of both descriptions are. */
  readonly likeness: number;
  /** The words that both claim; what counts most comes first. */
  readonly words: readonly string[];
}

/**
 * The least likeness of two descriptions, and the least share of one that the other contains.
 * `pnpm bench:routing` prints what these values find.
 */
const leastLikeness = 0.51;
const leastCovered = 0.55;
/**
 * How equal both coverages must be. Siblings cover each other equally; a skill that contains
 * another one covers it more than it is covered.
 */
const leastEvenness = 0.85;
const maxWords = 8;
const maxCharacters = 8_192;

/**
 * Finds skills that compete for the same requests, by names and descriptions: those whose
 * descriptions claim the same, unless their names tell them apart or one hands over to the other.
 *
 * @example
 * ```ts
 * import { findCollisions } from '@repertoire/skill-search/analysis';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function collisions(provider: SkillProvider): Promise<string[]> {
 *   return (await findCollisions((await provider.listSkills()).skills)).map(({ skills, words }) => `${skills.join(' and ')}: ${words.join(', ')}`);
 * }
 * ```
 */
export async function findCollisions(skills: readonly AnalyzedSkill[]): Promise<SkillCollision[]> {
  const level1 = skills.map((skill) => ({ ...skill, body: '' }));
  const alike = await alikeSkills(level1, { least: leastLikeness, limit: 10_000 });
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  return alike.flatMap(({ skills: [a, b], likeness, covered, shared }) => {
    const [first, second] = [byName.get(a), byName.get(b)];
    if (first === undefined || second === undefined || Math.max(...covered) < leastCovered) return [];
    const isEven = Math.min(...covered) >= leastEvenness * Math.max(...covered);
    if (areToldApart(first, second, isEven)) return [];
    return [{ skills: [a, b] as const, likeness, words: shared.slice(0, maxWords).map(({ word }) => word) }];
  });
}

/** Whether names tell both apart, or a description hands over to the other skill. */
function areToldApart(a: AnalyzedSkill, b: AnalyzedSkill, isEven: boolean): boolean {
  if (refersTo(a, b) || refersTo(b, a)) return true;
  const areAlike = areSiblings(a, b);
  return (isEven || areAlike) && namesItself(a, b, areAlike) && namesItself(b, a, areAlike);
}

/**
 * Whether the name of `own` has a word that the other skill does not use, such as `java` beside
 * `python`. Its own description must use the word, unless the names differ in it alone.
 */
function namesItself(own: AnalyzedSkill, other: AnalyzedSkill, areAlike: boolean): boolean {
  const said = wordsOf(own.description);
  // Sentences that say what the other skill is not for do not count.
  const { claims } = splitReferrals(other.description);
  const claimed = wordsOf(`${other.name} ${claims.trim() === '' ? other.description : claims}`);
  return [...wordsOf(own.name)].some((word) => !claimed.has(word) && (said.has(word) || areAlike));
}

/** Whether the names share three words, or two of three. */
function areSiblings(a: AnalyzedSkill, b: AnalyzedSkill): boolean {
  const [named, others] = [wordsOf(a.name), wordsOf(b.name)];
  const common = [...named].filter((word) => others.has(word)).length;
  return common >= 3 || (common === 2 && named.size === 3 && others.size === 3);
}

function wordsOf(text: string): Set<string> {
  return wordStems(text.slice(0, maxCharacters));
}
