import { alikeSkills, type AnalyzedSkill } from '@repertoire/skill-search/analysis';

/** Two skills whose descriptions claim the same requests. */
export interface SkillCollision {
  readonly skills: readonly [string, string];
  /** From 0 to 1: how alike the weighed words of both descriptions are. */
  readonly likeness: number;
  /** The words that both claim; what counts most comes first. */
  readonly words: readonly string[];
}

/**
 * How alike two descriptions are at least, and how much of one of them the other one says too. `benchmarks/src/routing` prints what these find of planted
 * collisions, and what they find beside them.
 */
const leastLikeness = 0.45;
const leastCovered = 0.6;
/** Siblings say much the same each way round; of a skill that took something over, only one direction is high. */
const evenness = 0.8;
const maxWords = 8;

/** Finds the skills of a library that compete for the same requests, by their names and descriptions alone, as a model chooses. */
export async function findCollisions(skills: readonly AnalyzedSkill[]): Promise<SkillCollision[]> {
  const level1 = skills.map((skill) => ({ ...skill, body: '' }));
  const alike = await alikeSkills(level1, { least: leastLikeness, limit: 10_000 });
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  return alike.flatMap(({ skills: [a, b], likeness, covered, shared }) => {
    const [first, second] = [byName.get(a), byName.get(b)];
    if (Math.max(...covered) < leastCovered || first === undefined || second === undefined) return [];
    const isEven = Math.min(...covered) >= evenness * Math.max(...covered);
    if ((isEven || areSiblings(first, second)) && namesItself(first, second) && namesItself(second, first)) return [];
    return [{ skills: [a, b] as const, likeness, words: shared.slice(0, maxWords).map(({ word }) => word) }];
  });
}

/**
 * Whether its name has a word that the other one says nowhere: `java` and `python` tell two siblings apart. The word must be in its description too, unless the
 * names are alike but for it: else it says nothing of what the skill does.
 */
function namesItself(own: AnalyzedSkill, other: AnalyzedSkill): boolean {
  const named = wordsOf(own.name);
  const said = wordsOf(own.description);
  const told = wordsOf(`${other.name} ${other.description}`);
  return [...named].some((word) => !told.has(word) && (said.has(word) || areSiblings(own, other)));
}

/** Whether their names are alike but for one word: `trace-java-services` and `trace-ruby-services`. */
function areSiblings(a: AnalyzedSkill, b: AnalyzedSkill): boolean {
  const [named, others] = [wordsOf(a.name), wordsOf(b.name)];
  return named.size === others.size && named.size >= 3 && [...named].filter((word) => others.has(word)).length === named.size - 1;
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .slice(0, 8_192)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );
}
