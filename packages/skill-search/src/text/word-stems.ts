import { splitWords } from './split-words.ts';
import { stopWords } from './stop-words.ts';
import { stemOf } from './term-hash.ts';

/**
 * Returns the words of a text by their stems, as search compares them: `prompts` and `prompt` are
 * one. Stop words are left out.
 */
export function wordStems(text: string): Set<string> {
  const runs = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return new Set(runs.flatMap((run) => splitWords(run, false)).flatMap((word) => (stopWords.has(word) ? [] : [stemOf(word)])));
}
