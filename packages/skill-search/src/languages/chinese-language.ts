import { stopWords } from '../text/stop-words.ts';
import { stemOf } from '../text/term-hash.ts';
import { readGlossary, type Glossary } from './read-glossary.ts';
import type { SearchLanguage } from './search-language.ts';

const han = /\p{Script=Han}/gu;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const longestWord = 6;

/**
 * Makes the language for Chinese. Requests are translated by the longest word of the glossary at
 * each place; the index has pairs of characters.
 */
export function chineseLanguage(lines: string): SearchLanguage {
  let glossary: Glossary | undefined;
  return {
    id: 'zh',
    count: (text) => (kana.test(text) ? 0 : (text.match(han) ?? []).length),
    // Chinese skills are full of English words.
    stem: (word) => (stopWords.has(word) ? null : stemOf(word)),
    translate(text) {
      glossary ??= readGlossary(lines, (word) => word);
      const found: string[] = [];
      for (let at = 0; at < text.length; at += 1) {
        for (let length = Math.min(longestWord, text.length - at); length > 0; length -= 1) {
          const meanings = glossary.get(text.slice(at, at + length));
          if (meanings === undefined) continue;
          found.push(...meanings);
          at += length - 1;
          break;
        }
      }
      return found.join(' ');
    },
  };
}
