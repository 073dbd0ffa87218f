import { readGlossary, type Glossary } from './read-glossary.ts';
import type { SearchLanguage } from './search-language.ts';

/** The rules of a language that is written with Latin letters. */
export interface SpelledLanguageRules {
  readonly id: string;
  readonly stem: (word: string) => string;
  /** Stop words, with blanks between them. */
  readonly functionWords: string;
  /** See `readGlossary`. */
  readonly glossary: string;
  /** Endings and the English ones for them: many technical words differ by nothing else. */
  readonly endings: readonly (readonly [ending: string, english: readonly string[]])[];
  /** Letters that English has instead, such as `c` for `k`. @default none */
  readonly letters?: readonly (readonly [letter: string, english: string])[] | undefined;
  /** The letters between the parts of compound words. @default not */
  readonly joints?: readonly string[] | undefined;
}

const words = /\p{L}[\p{L}\p{M}]+/gu;
const marks = /[\u0300-\u036f]/g;
const shortestPart = 3;
const shortestAlone = 5;
const longestWord = 40;

/** A language of words with endings. The glossary is read when it is first used. */
export function spelledLanguage(rules: SpelledLanguageRules): SearchLanguage {
  const { id, endings, letters = [], joints } = rules;
  const stem = (word: string): string => plain(rules.stem(word));
  const functionWords = new Set(rules.functionWords.split(' ').map(plain));
  let glossary: Glossary | undefined;
  const meaningsOf = (word: string): readonly string[] => (glossary ??= readGlossary(rules.glossary, stem)).get(stem(word)) ?? [];
  const joinedMeaningsOf = (word: string): readonly string[] => {
    if (joints === undefined || word.length < shortestPart * 2) return [];
    let partly: readonly string[] = [];
    for (let at = word.length - shortestPart; at >= shortestPart; at -= 1) {
      const second = word.slice(at);
      const first = ['', ...joints]
        .filter((joint) => word.slice(0, at).endsWith(joint))
        .map((joint) => meaningsOf(word.slice(0, at - joint.length)))
        .find((meanings) => meanings.length > 0);
      const rest = meaningsOf(second);
      if (first !== undefined && rest.length > 0) return [...first, ...rest];
      if (partly.length === 0 && rest.length > 0 && second.length >= shortestAlone) partly = rest;
      else if (partly.length === 0 && first !== undefined && at >= shortestAlone) partly = first;
    }
    return partly;
  };
  const cognatesOf = (word: string): readonly string[] => {
    const spelled = letters.reduce((text, [letter, english]) => text.replaceAll(letter, english), word);
    const others = endings.flatMap(([ending, english]) =>
      spelled.endsWith(ending) && spelled.length > ending.length + 2 ? english.map((one) => spelled.slice(0, -ending.length) + one) : [],
    );
    return spelled === word ? others : [spelled, ...others];
  };
  return {
    id,
    count: (text) => wordsOf(text).filter((word) => functionWords.has(word)).length,
    stem: (word) => (functionWords.has(word) ? null : stem(word)),
    translate: (text) =>
      wordsOf(text)
        .filter((word) => !functionWords.has(word))
        .flatMap((word) => {
          const meanings = meaningsOf(word);
          if (meanings.length > 0) return meanings;
          const joined = joinedMeaningsOf(word);
          return joined.length > 0 ? joined : cognatesOf(word);
        })
        .join(' '),
  };
}

function wordsOf(text: string): string[] {
  return (text.match(words) ?? []).map(plain).filter((word) => word.length <= longestWord);
}

function plain(word: string): string {
  return word.toLowerCase().normalize('NFKD').replace(marks, '');
}
