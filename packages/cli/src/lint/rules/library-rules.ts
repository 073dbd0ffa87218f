import { skeletonsOf, visibleName, compareText } from '@repertoire/skills-core/internal';
import type { LintFacts, LintFinding, LintRule } from '../lint-rule.ts';

/** Two descriptions that share so much of their words are one to a model. */
const maxLikeness = 0.85;
const minWords = 5;
/** Skills with one rare word in common that are compared with each other. */
const maxCandidates = 200;

/** Two skills that a model cannot tell apart. */
export const similarDescriptions: LintRule = {
  id: 'similar-descriptions',
  kind: 'correctness',
  severity: 'warning',
  summary: 'Two skills of different names have nearly the same description.',
  checkAll: (skills) => {
    const described = skills
      .map((skill, index) => ({ skill, index, words: wordsOf(skill) }))
      .filter(
        ({ skill, words }) =>
          skill.isForModel && words.size >= minWords && !/\b(?:deprecated|forwards to|renamed to|superseded)\b/i.test(skill.description),
      );
    const rank = rareFirst(described.map(({ words }) => words));
    const byRareWord = new Map<number, Described[]>();
    const found: [number, LintFinding][] = [];
    for (const { skill, index, words } of described) {
      const sorted = Int32Array.from(words.keys(), (word) => rank.get(word) ?? 0).sort();
      const one: Described = { skill, index, words, ranks: sorted };
      // Descriptions this alike share one of so many of their rarest words, so most pairs are never
      // compared.
      const prefix = sorted.subarray(0, Math.floor(words.size * (1 - maxLikeness)) + 1);
      let other: Described | undefined;
      for (const word of prefix) other ??= byRareWord.get(word)?.find((candidate) => areAlike(one, candidate));
      if (other !== undefined) found.push([index, tooAlike(one, other)]);
      for (const word of prefix) {
        const candidates = byRareWord.get(word) ?? [];
        if (candidates.length < maxCandidates) candidates.push(one);
        byRareWord.set(word, candidates);
      }
    }
    return found;
  },
};

/** Two skills of one name: an agent sees the first one only. */
export const duplicateName: LintRule = {
  id: 'duplicate-name',
  kind: 'correctness',
  severity: 'warning',
  summary: 'Two skills have the same name, so that an agent sees only one of them.',
  checkAll: (skills) => {
    const first = new Map<string, LintFacts>();
    // A folder that is a copy of another one is told once, and not with each of its skills.
    const pairs = new Map<string, { readonly index: number; readonly skill: LintFacts; readonly other: LintFacts; more: number }>();
    for (const [index, skill] of skills.entries()) {
      // Plugins have names of their own: agents write `plugin:skill`.
      const key = JSON.stringify([skill.name, skill.version, pluginOf(skill)]);
      const other = first.get(key);
      if (other === undefined) {
        first.set(key, skill);
        continue;
      }
      const pair = JSON.stringify([aboveOf(skill), aboveOf(other)]);
      const known = pairs.get(pair);
      if (known === undefined) pairs.set(pair, { index, skill, other, more: 0 });
      else known.more += 1;
    }
    return [...pairs.values()].map(({ index, skill, other, more }) => {
      const others = more === 0 ? '' : `, and ${more} more of ${aboveOf(skill)} are named as in ${aboveOf(other)}`;
      const message = `There is another skill named ${JSON.stringify(skill.name)} (${other.path})${others}. An agent that reads both sees only one.`;
      return [index, { line: skill.nameLine, message, fix: 'Rename one of them, or keep them in different sources.' }] as const;
    });
  },
};

function aboveOf({ path }: LintFacts): string {
  return path.split(/[\\/]/).slice(0, -2).join('/') || '.';
}

/** Two names that people take for one. */
export const lookAlikeName: LintRule = {
  id: 'look-alike-name',
  kind: 'correctness',
  severity: 'warning',
  summary: 'The name of a skill looks like that of another one, by letters of another script.',
  checkAll: (skills) => {
    const looks = skeletonsOf(skills.map(({ name }) => name));
    const first = new Map<string, string>();
    const told = new Set<string>();
    return skills.flatMap(({ name, nameLine }, index) => {
      const look = looks[index] ?? name;
      const other = first.get(look) ?? name;
      first.set(look, other);
      if (other === name || told.has(name)) return [];
      told.add(name);
      return [
        [
          index,
          {
            line: nameLine,
            message: `The name ${visibleName(name)} can be taken for ${visibleName(other)}${differenceOf(name, other)}.`,
            fix: 'Rename one of them, so that people and models can tell them apart.',
          },
        ] as const,
      ];
    });
  },
};

/** Says which characters look alike, where the names have them at the same places. */
function differenceOf(name: string, other: string): string {
  const [own, others] = [[...name], [...other]];
  if (own.length !== others.length) return '';
  const pairs = own.flatMap((character, index) =>
    character === others[index] ? [] : [`${codePoint(character)} for ${codePoint(others[index] ?? '')}`],
  );
  return pairs.length === 0 || pairs.length > 5 ? '' : `: it has ${[...new Set(pairs)].join(', ')}`;
}

function codePoint(character: string): string {
  return `${JSON.stringify(character)} (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`;
}

interface Described {
  readonly skill: LintFacts;
  readonly index: number;
  /** Each word, with how often it is there. */
  readonly words: ReadonlyMap<string, number>;
  /** The same words by their place among all: the rarest comes first. */
  readonly ranks: Int32Array;
}

function rareFirst(all: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const frequency = new Map<string, number>();
  for (const words of all) for (const word of words.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const sorted = [...frequency].sort(([a, often], [b, other]) => often - other || compareText(a, b));
  return new Map(sorted.map(([word], index) => [word, index]));
}

function areAlike(a: Described, b: Described): boolean {
  if (a.skill.name === b.skill.name || likeness(a.ranks, b.ranks) < maxLikeness) return false;
  return !namesItself(a.skill, a.words, b.words) && !namesItself(b.skill, b.words, a.words);
}

function tooAlike({ skill }: Described, { skill: other }: Described): LintFinding {
  return {
    line: skill.descriptionLine,
    message: `The description is nearly that of ${JSON.stringify(other.name)} (${other.path}), so a model cannot tell which to choose.`,
    fix: 'Say in each what the other does not do, or make one skill of them.',
  };
}

function wordsOf({ description }: LintFacts): Map<string, number> {
  const words = new Map<string, number>();
  for (const word of description
    .slice(0, 4000)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [])
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

/** Whether it says a word of its own name more often than the other: `java` and `python`. */
function namesItself({ name }: LintFacts, own: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): boolean {
  return name
    .toLowerCase()
    .split('-')
    .some((word) => (own.get(word) ?? 0) > (others.get(word) ?? 0));
}

/** Jaccard: the share of common words among all words of both. */
function likeness(a: Int32Array, b: Int32Array): number {
  let common = 0;
  for (let left = 0, right = 0; left < a.length && right < b.length;) {
    const [one = 0, other = 0] = [a[left], b[right]];
    if (one === other) common += 1;
    if (one <= other) left += 1;
    if (other <= one) right += 1;
  }
  return common / (a.length + b.length - common);
}

function pluginOf({ folder, path, plugin }: LintFacts): string {
  return plugin ?? /(?:^|[\\/])plugins[\\/]([^\\/]+)[\\/]/.exec(folder ?? path)?.[1] ?? '';
}
