import { distance } from 'fastest-levenshtein';

/** Longer names are not compared: nobody misspells a name of this length, and the time grows with the product of lengths. */
const maxLength = 100;

/** The name that was probably meant, or `null`. A difference of one character in three is the most that counts as a slip. */
export function nearName(wanted: string, names: readonly string[]): string | null {
  if (wanted.length > maxLength) return null;
  const key = fold(wanted);
  const limit = Math.min(3, Math.max(1, Math.floor(key.length / 3)));
  let best: { readonly name: string; readonly away: number } | null = null;
  for (const name of names) {
    if (name.length > maxLength) continue;
    const away = distance(key, fold(name));
    if (away <= limit && (best === null || away < best.away)) best = { name, away };
  }
  return best?.name ?? null;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}
