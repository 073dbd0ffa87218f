/** A language besides English, such as `german` of `@repertoire/skill-search/languages`. */
export interface SearchLanguage {
  /** Such as `de`. It is part of the format of an index, whose words are stemmed by it. */
  readonly id: string;
  /** How many words, or characters, of a text only this language has. */
  readonly count: (text: string) => number;
  /** The stem of a lower-case word without accents; `null` for a stop word, such as "der". */
  readonly stem: (word: string) => string | null;
  /** English words for the words of a text, for skills that are written in English. */
  readonly translate: (text: string) => string;
}

/** The language that a text is in; `undefined` for English and for any other language. */
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
