/** The constant of reciprocal rank fusion, as its authors recommend it (Cormack et al., 2009). */
const rankOffset = 60;

/**
 * Merges lists by rank: the sum of 1 / (60 + rank). Scores of words and of meanings have no common
 * scale; ranks do.
 */
export function fuseRanks<Item>(lists: readonly (readonly Item[])[]): { readonly item: Item; readonly score: number }[] {
  const scores = new Map<Item, number>();
  for (const list of lists)
    for (const [rank, item] of list.entries()) scores.set(item, (scores.get(item) ?? 0) + 1 / (rankOffset + rank + 1));
  return [...scores].map(([item, score]) => ({ item, score })).sort((a, b) => b.score - a.score);
}
