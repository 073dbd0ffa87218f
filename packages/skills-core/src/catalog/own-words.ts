import type { SkillMetadata } from '../contract/skill-provider.ts';
import { summaryOf } from './render-catalog.ts';

/** A word of a summary, and where it stands. */
export interface OwnWord {
  readonly word: string;
  readonly index: number;
}

/** What tells the skills of a catalog apart. */
export interface OwnWords {
  /** The words of a text that the fewest other skills have, without those of the skill's name. */
  of(skill: SkillMetadata, text: string): readonly OwnWord[];
}

/** The standard's limit of a description. */
const maxLooked = 1_024;
/** Words of fewer letters seldom say anything. */
const wordPattern = /[a-z0-9\u0080-\uffff]{3,}/g;

/** The words of summaries, as numbers: each summary is read once, however many lists it is in. */
export class SummaryWords {
  readonly #numbers: Map<string, number> = new Map();
  /** By word: the last skill that has it, so that a word counts once for each. */
  readonly #lastSkill: number[] = [];
  readonly #known: Map<SkillMetadata, readonly number[]> = new Map();

  /** Adds one for each different word of a skill. */
  count(skill: SkillMetadata, counts: number[]): void {
    const known = this.#known.get(skill);
    if (known !== undefined) {
      for (const number of known) counts[number] = (counts[number] ?? 0) + 1;
      return;
    }
    const [numbers, lastSkill] = [this.#numbers, this.#lastSkill];
    const found: number[] = [];
    const place = this.#known.size;
    for (const word of wordsIn(summaryOf(skill))) {
      const number = numbers.get(word) ?? lastSkill.length;
      if (lastSkill[number] === place) continue;
      if (number === lastSkill.length) numbers.set(word, number);
      lastSkill[number] = place;
      counts[number] = (counts[number] ?? 0) + 1;
      found.push(number);
    }
    this.#known.set(skill, found);
  }

  /** The number of a word; `undefined` if no skill has it. */
  numberOf(word: string): number | undefined {
    return this.#numbers.get(word);
  }
}

/** Counts in how many skills each word stands. */
export function ownWords(skills: readonly SkillMetadata[], words: SummaryWords = new SummaryWords()): OwnWords {
  const having: number[] = [];
  for (const skill of skills) words.count(skill, having);
  return {
    of(skill, text) {
      const lower = lowerCase(text);
      const named = wordsIn(skill.name);
      let fewest = Number.POSITIVE_INFINITY;
      let own: OwnWord[] = [];
      let end = 0;
      for (const word of wordsIn(lower)) {
        const index = lower.indexOf(word, end);
        end = index + word.length;
        const count = having[words.numberOf(word) ?? -1] ?? 1;
        if (count > fewest || named.includes(word)) continue;
        if (count < fewest) own = [];
        fewest = count;
        own.push({ word, index });
      }
      return own;
    },
  };
}

/** Whether a character in lower case is a part of a word, for this purpose. */
export function isWordCharacter(character: string): boolean {
  return character !== '' && /[a-z0-9\u0080-\uffff]/.test(character);
}

function wordsIn(text: string): readonly string[] {
  return lowerCase(text).match(wordPattern) ?? [];
}

/** A few letters have a longer lower case, which would move places. */
function lowerCase(text: string): string {
  const looked = text.slice(0, maxLooked);
  const lower = looked.toLowerCase();
  return lower.length === looked.length ? lower : looked;
}
