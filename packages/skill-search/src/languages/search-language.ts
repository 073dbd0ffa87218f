/**
 * A language besides English, for requests and for skills that are written in it. `german`,
 * `spanish` and `chinese` of `@repertoire/skill-search/languages` are some.
 */
export interface SearchLanguage {
  /** Such as `de`. It is part of the format of an index, whose words are stemmed by it. */
  readonly id: string;
  /**
   * How far a text is in this language: the number of words, or of characters, that only it has.
   */
  readonly count: (text: string) => number;
  /**
   * The stem of a word in lower case, without accents; `null` for a word that says nothing, such as
   * "der".
   */
  readonly stem: (word: string) => string | null;
  /** English words for the words of a text, for skills that are written in English. */
  readonly translate: (text: string) => string;
}

/** The language that a text is in; `undefined` for English and for what none of them is. */
export function languageOf(
  text: string,
  languages: readonly SearchLanguage[],
  english: (text: string) => number,
): SearchLanguage | undefined {
  let found: SearchLanguage | undefined;
  let most = languages.length === 0 ? 0 : english(text);
  for (const language of languages) {
    const count = language.count(text);
    if (count <= most) continue;
    [found, most] = [language, count];
  }
  return found;
}
