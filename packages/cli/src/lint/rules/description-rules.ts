import { compareText } from '@repertoire/skills-core/provider';
import { lineOfField } from '../positions.ts';
import type { LintFinding, LintRule, LintSkill } from '../lint-rule.ts';

const minCharacters = 40;
const maxCharacters = 700;
/** Two descriptions that share so much of their words are one to a model. */
const maxLikeness = 0.85;
const minWords = 6;
/** Skills with one rare word in common that are compared with each other. */
const maxCandidates = 200;
const when =
  // recheck: at most 4,000 characters of a description are looked at, and blanks are one each.
  /\b(?:use|used|using|invoke|activate|trigger(?:s|ed)?|apply|applies|load|run|call|consult|reach\sfor)\b.{0,40}\b(?:when|whenever|if|for|before|after|while|during|to|on|as|in|this)\b|\b(?:when|whenever|if)\s(?:the\suser|a\suser|users?|you|asked|working|writing|creating|building|someone|there)\b|\bbefore\s|\bafter\s|\b(?:when|triggers?)\s?:|当|时使用|用于|触发/iu;

/** Says what, and not when. */
export const descriptionWhen: LintRule = {
  id: 'description-when',
  kind: 'style',
  severity: 'warning',
  summary: 'The description does not say when to use the skill.',
  check: ({ parsed: { metadata }, text }) => {
    if (metadata === null || metadata.whenToUse !== undefined || metadata.disableModelInvocation === true) return [];
    if (when.test(metadata.description.slice(0, 4000).replace(/\s+/g, ' '))) return [];
    return [
      {
        line: lineOfField(text, 'description'),
        message: 'The description does not say when to use the skill.',
        fix: 'Add a sentence such as "Use it when …", with words that users say.',
      },
    ];
  },
};

/** Too little to choose by, or too much for every prompt. */
export const descriptionLength: LintRule = {
  id: 'description-length',
  kind: 'style',
  severity: 'warning',
  summary: `The description has fewer than ${minCharacters} or more than ${maxCharacters} characters.`,
  check: ({ parsed: { metadata }, text }) => {
    if (metadata === null) return [];
    const length = [...metadata.description].length;
    if (length >= minCharacters && length <= maxCharacters) return [];
    const isShort = length < minCharacters;
    return [
      {
        line: lineOfField(text, 'description'),
        message: `The description has ${length} characters: too ${isShort ? 'few to choose the skill by' : 'many for a text that is in every prompt'}.`,
        fix: isShort ? 'Say what the skill does, and when to use it.' : `Shorten it to at most ${maxCharacters} characters.`,
      },
    ];
  },
};

/** Two skills that a model cannot tell apart. */
export const similarDescriptions: LintRule = {
  id: 'similar-descriptions',
  kind: 'correctness',
  severity: 'warning',
  summary: 'Two skills of different names have nearly the same description.',
  checkAll: (skills) => {
    const described = skills
      .filter(({ parsed: { metadata } }) => metadata !== null && metadata.disableModelInvocation !== true)
      .map((skill) => ({ skill, words: wordsOf(skill) }))
      .filter(({ words }) => words.size >= minWords);
    const frequency = new Map<string, number>();
    for (const { words } of described) for (const word of words.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    const byRareWord = new Map<string, Described[]>();
    const found: [LintSkill, LintFinding][] = [];
    for (const one of described) {
      // Descriptions this alike share one of so many of their rarest words, so most pairs are never compared.
      const rare = [...one.words.keys()].sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || compareText(a, b));
      const prefix = rare.slice(0, Math.floor(one.words.size * (1 - maxLikeness)) + 1);
      const other = prefix.flatMap((word) => byRareWord.get(word) ?? []).find((candidate) => areAlike(one, candidate));
      if (other !== undefined) found.push([one.skill, tooAlike(one, other)]);
      for (const word of prefix) byRareWord.set(word, [...(byRareWord.get(word) ?? []), one].slice(-maxCandidates));
    }
    return found;
  },
};

interface Described {
  readonly skill: LintSkill;
  readonly words: ReadonlyMap<string, number>;
}

function areAlike(a: Described, b: Described): boolean {
  if (a.skill.name === b.skill.name || likeness(a.words, b.words) < maxLikeness) return false;
  return !namesItself(a.skill, a.words, b.words) && !namesItself(b.skill, b.words, a.words);
}

function tooAlike({ skill }: Described, { skill: other }: Described): LintFinding {
  return {
    line: lineOfField(skill.text, 'description'),
    message: `The description is nearly that of ${JSON.stringify(other.name)} (${other.path}), so a model cannot tell which to choose.`,
    fix: 'Say in each what the other does not do, or make one skill of them.',
  };
}

/** Each word of the description, with how often it is there. */
function wordsOf({ parsed: { metadata } }: LintSkill): Map<string, number> {
  const words = new Map<string, number>();
  for (const word of (metadata?.description ?? '')
    .slice(0, 4000)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [])
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

/** Whether its own description says a word of its name more often than the other one: `java` and `python` tell two skills apart. */
function namesItself({ name }: LintSkill, own: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): boolean {
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
