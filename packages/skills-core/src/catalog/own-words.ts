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
const word = /[a-z0-9\u0080-\uffff]{3,}/g;

const wordsOf: WeakMap<SkillMetadata, ReadonlySet<string>> = new WeakMap();

/** Counts in how many skills each word stands. */
export function ownWords(skills: readonly SkillMetadata[]): OwnWords {
  const having = new Map<string, number>();
  for (const skill of skills) {
    let words = wordsOf.get(skill);
    if (words === undefined) {
      words = new Set(lowerCase(summaryOf(skill)).match(word));
      wordsOf.set(skill, words);
    }
    for (const one of words) having.set(one, (having.get(one) ?? 0) + 1);
  }
  return {
    of(skill, text) {
      const named = new Set(lowerCase(skill.name).match(word));
      let fewest = Number.POSITIVE_INFINITY;
      let own: OwnWord[] = [];
      for (const { 0: one, index } of lowerCase(text).matchAll(word)) {
        const count = having.get(one) ?? 1;
        if (count > fewest || named.has(one)) continue;
        if (count < fewest) own = [];
        fewest = count;
        own.push({ word: one, index });
      }
      return own;
    },
  };
}

/** Whether a character in lower case is a part of a word, for this purpose. */
export function isWordCharacter(character: string): boolean {
  return character !== '' && /[a-z0-9\u0080-\uffff]/.test(character);
}

/** A few letters have a longer lower case, which would move places. */
function lowerCase(text: string): string {
  const looked = text.slice(0, maxLooked);
  const lower = looked.toLowerCase();
  return lower.length === looked.length ? lower : looked;
}
