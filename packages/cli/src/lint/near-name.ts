import { distance } from 'fastest-levenshtein';

/** Longer names are not compared: the time grows with the product of lengths. */
const maxLength = 100;

/**
 * The name that was probably meant, or `null`. A difference of one character in three is the most
 * that counts as a slip; two neighbors that changed places are one difference.
 *
 * @param most the most differences, where fewer than the usual are wanted
 */
export function nearName(wanted: string, names: readonly string[], most = 3): string | null {
  if (wanted.length > maxLength) return null;
  const key = fold(wanted);
  const limit = Math.min(most, Math.max(1, Math.floor(key.length / 3)));
  let best: { readonly name: string; readonly away: number } | null = null;
  for (const name of names) {
    if (name.length > maxLength) continue;
    const other = fold(name);
    const away = areSwapped(key, other) ? 1 : distance(key, other);
    if (away <= limit && (best === null || away < best.away)) best = { name, away };
  }
  return best?.name ?? null;
}

function areSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}
