/** How lists of words and of meanings are merged. */
export interface FusionWeights {
  /** The share of meaning in the order, from 0 (words alone) to 1 (meaning alone). */
  readonly weight: number;
  /** How slowly a rank loses its value: a skill at rank `r` gets 1 / (rankOffset + r). */
  readonly rankOffset: number;
}

/**
 * Words lead: with these, a model that finds next to nothing costs one or two of 100 first places,
 * and a good one gains several. With equal shares and the usual offset of 60 it would cost half of
 * them.
 */
export const defaultFusion: FusionWeights = { weight: 0.25, rankOffset: 2 };

/**
 * Merges two lists by weighted reciprocal rank fusion. Ties keep the order of words. A list without
 * a share adds nothing, so that a weight of 0 is words alone.
 */
export function fuseRanks<Item>(
  byWords: readonly Item[],
  byMeaning: readonly Item[],
  { weight, rankOffset }: FusionWeights,
): { readonly item: Item; readonly score: number }[] {
  const scores = new Map<Item, number>();
  for (const [list, share] of [
    [byWords, 1 - weight],
    [byMeaning, weight],
  ] as const) {
    if (share === 0) continue;
    for (const [rank, item] of list.entries()) scores.set(item, (scores.get(item) ?? 0) + share / (rankOffset + rank + 1));
  }
  return [...scores].map(([item, score]) => ({ item, score })).sort((a, b) => b.score - a.score);
}
