import { phraseHash } from '../text/term-hash.ts';
import { languageOf, type SearchLanguage } from '../languages/search-language.ts';
import { englishCount, functionCharacters } from '../text/stop-words.ts';
import { Vocabulary } from '../text/vocabulary.ts';

/** A word or a pair of neighboring words to search for. */
export interface QueryTerm {
  readonly hash: number;
  /** As in the request, in lower case. */
  readonly text: string;
}

/** A parsed request. Each term occurs once. */
export interface ParsedQuery {
  readonly words: readonly QueryTerm[];
  readonly phrases: readonly QueryTerm[];
  /** Words that only order what the others find. */
  readonly context?: readonly QueryTerm[] | undefined;
  /** Whether the request was longer than the limit. */
  readonly cut: boolean;
}

/** Maximum UTF-16 units and different words of a request. */
export const queryLimits: { readonly characters: number; readonly words: number } = { characters: 16_384, words: 256 };

/** Parses a request. There are no operators. Other languages are also looked up in English. */
export function parseQuery(query: string, languages: readonly SearchLanguage[] = []): ParsedQuery {
  const text = query.slice(0, queryLimits.characters);
  const language = languageOf(text, languages, englishCount);
  const parsed = parsePart(text, language);
  const isCut = parsed.cut || query.length > queryLimits.characters;
  if (language === undefined) return { ...parsed, cut: isCut };
  const english = parsePart(language.translate(text), undefined);
  return {
    words: uniqueTerms([...parsed.words, ...english.words]),
    phrases: uniqueTerms([...parsed.phrases, ...english.phrases]),
    cut: isCut,
  };
}

function uniqueTerms(terms: readonly QueryTerm[]): QueryTerm[] {
  return [...new Map(terms.map((term) => [term.hash, term])).values()].slice(0, queryLimits.words);
}

function parsePart(text: string, language: SearchLanguage | undefined): ParsedQuery {
  const vocabulary = new Vocabulary(language);
  let terms: number[] = [];
  let cut = false;
  vocabulary.read(text, false, (term) => {
    if (term < queryLimits.words) terms.push(term);
    else cut = true;
  });
  const telling = terms.filter((term) => !functionCharacters.test(vocabulary.words[term] ?? ''));
  if (telling.length > 0) terms = telling;
  const termOf = (term: number): QueryTerm => ({ hash: vocabulary.hashes[term] ?? 0, text: vocabulary.words[term] ?? '' });
  const words = [...new Set(terms)].map(termOf);
  const phrases = new Map<number, QueryTerm>();
  for (let at = 1; at < terms.length && phrases.size < queryLimits.words; at += 1) {
    const [first, second] = [termOf(terms[at - 1] ?? 0), termOf(terms[at] ?? 0)];
    const hash = phraseHash(first.hash, second.hash);
    phrases.set(hash, { hash, text: `${first.text} ${second.text}` });
  }
  return { words, phrases: [...phrases.values()], cut };
}
