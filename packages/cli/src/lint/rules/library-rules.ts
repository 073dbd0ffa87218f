import { compareText, looksOf, visibleName } from '@repertoire/skills-core/provider';
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
      .map((skill, index) => ({ skill, index }))
      .filter(({ skill }) => skill.isForModel)
      .map(({ skill, index }) => ({ skill, index, words: wordsOf(skill) }))
      .filter(({ words }) => words.size >= minWords);
    const frequency = new Map<string, number>();
    for (const { words } of described) for (const word of words.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    const byRareWord = new Map<string, Described[]>();
    const found: [number, LintFinding][] = [];
    for (const one of described) {
      // Descriptions this alike share one of so many of their rarest words, so most pairs are never compared.
      const rare = [...one.words.keys()].sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || compareText(a, b));
      const prefix = rare.slice(0, Math.floor(one.words.size * (1 - maxLikeness)) + 1);
      const other = prefix.flatMap((word) => byRareWord.get(word) ?? []).find((candidate) => areAlike(one, candidate));
      if (other !== undefined) found.push([one.index, tooAlike(one, other)]);
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
    return skills.flatMap((skill, index) => {
      // Plugins have names of their own: agents write `plugin:skill`.
      const key = JSON.stringify([skill.name, skill.version, pluginOf(skill)]);
      const other = first.get(key);
      if (other === undefined) {
        first.set(key, skill);
        return [];
      }
      const message = `There is another skill named ${JSON.stringify(skill.name)} (${other.path}). An agent that reads both sees only one.`;
      return [[index, { line: skill.nameLine, message, fix: 'Rename one of them, or keep them in different sources.' }] as const];
    });
  },
};

/** Two names that people take for one. */
export const lookAlikeName: LintRule = {
  id: 'look-alike-name',
  kind: 'correctness',
  severity: 'warning',
  summary: 'The name of a skill looks like that of another one, by letters of another script.',
  checkAll: (skills) => {
    const looks = looksOf(skills.map(({ name }) => name));
    const first = new Map<string, string>();
    return skills.flatMap(({ name, nameLine }, index) => {
      const look = looks[index] ?? name;
      const other = first.get(look) ?? name;
      first.set(look, other);
      if (other === name) return [];
      return [[index, { line: nameLine, message: `The name looks like ${visibleName(other)}, and is ${visibleName(name)}.`, fix: 'Rename one of them.' }] as const];
    });
  },
};

interface Described {
  readonly skill: LintFacts;
  readonly index: number;
  readonly words: ReadonlyMap<string, number>;
}

function areAlike(a: Described, b: Described): boolean {
  if (a.skill.name === b.skill.name || likeness(a.words, b.words) < maxLikeness) return false;
  // The same text but for a word or two at its end.
  return !namesItself(a.skill, a.words, b.words) && !namesItself(b.skill, b.words, a.words);
}

function tooAlike({ skill }: Described, { skill: other }: Described): LintFinding {
  return {
    line: skill.descriptionLine,
    message: `The description is nearly that of ${JSON.stringify(other.name)} (${other.path}), so a model cannot tell which to choose.`,
    fix: 'Say in each what the other does not do, or make one skill of them.',
  };
}

/** Each word of the description, with how often it is there. */
function wordsOf({ description }: LintFacts): Map<string, number> {
  const words = new Map<string, number>();
  for (const word of description.slice(0, 4000).toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

/** Whether its own description says a word of its name more often than the other one: `java` and `python` tell two skills apart. */
function namesItself({ name }: LintFacts, own: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): boolean {
  return name
    .toLowerCase()
    .split('-')
    .some((word) => (own.get(word) ?? 0) > (others.get(word) ?? 0));
}

/** Jaccard: the share of common words among all words of both. */
function likeness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  for (const word of a.keys()) if (b.has(word)) common += 1;
  return common / (a.size + b.size - common);
}

function pluginOf({ folder, path }: LintFacts): string {
  return /(?:^|[\\/])plugins[\\/]([^\\/]+)[\\/]/.exec(folder ?? path)?.[1] ?? '';
}
