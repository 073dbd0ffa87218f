import { Vocabulary } from '../text/vocabulary.ts';

/** A text as weighted words. The weights are the coordinates of a vector of length 1. */
export type TermVector = ReadonlyMap<number, number>;

/** The vectors of texts, and the words of their terms. */
export interface TermVectors {
  readonly vectors: readonly TermVector[];
  /** The word of a term, in its shortest form. */
  readonly wordOf: (term: number) => string;
}

/** Weights the words of texts by their frequency, and by how few texts contain them. */
export function termVectors(texts: readonly string[]): TermVectors {
  const vocabulary = new Vocabulary();
  const having = new Map<number, number>();
  const counted = texts.map((text) => {
    const counts = new Map<number, number>();
    vocabulary.read(text, false, (term) => counts.set(term, (counts.get(term) ?? 0) + 1));
    for (const term of counts.keys()) having.set(term, (having.get(term) ?? 0) + 1);
    return counts;
  });
  const vectors = counted.map((counts) => {
    const weights = [...counts].map(
      ([term, count]) => [term, (1 + Math.log(count)) * Math.log(1 + texts.length / (having.get(term) ?? 1))] as const,
    );
    const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0));
    return new Map(weights.map(([term, weight]) => [term, weight / length]));
  });
  return { vectors, wordOf: (term) => vocabulary.words[term] ?? '' };
}
