import { splitWords } from './split-words.ts';
import { stopWords } from './stop-words.ts';
import { stemOf } from './term-hash.ts';

/**
 * The words of a text by their stems, as search compares them: `prompts` and `prompt` are one. Stop
 * words are left out.
 *
 * @example
 * ```ts
 * import { wordStems } from '@repertoire/skill-search/analysis';
 *
 * const [own, other] = [wordStems('Manages prompts.'), wordStems('prompt-management')];
 * console.log([...own].filter((stem) => other.has(stem)).length); // 2
 * ```
 */
export function wordStems(text: string): Set<string> {
  const runs = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return new Set(runs.flatMap((run) => splitWords(run, false)).flatMap((word) => (stopWords.has(word) ? [] : [stemOf(word)])));
}
