import { distance } from 'fastest-levenshtein';
import { quote } from './quote.ts';

const maxListed = 12;
const maxCompared = 64;

/** The hint for an unknown name: the nearest known name, or a list of the known ones. */
export function didYouMean(written: string, known: readonly string[], most: number = maxListed): string {
  const [nearest] = known
    .map((name) => ({ name, away: distanceBetween(written, name) }))
    .filter(({ name, away }) => away <= (name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3))))
    .sort((a, b) => a.away - b.away || lengthApart(a.name, written) - lengthApart(b.name, written));
  if (nearest !== undefined) return `Did you mean ${quote(nearest.name)}?`;
  if (known.length === 0) return 'None is declared.';
  const shown = known.slice(0, most).map(quote).join(', ');
  return `Known: ${shown}${known.length > most ? `, and ${known.length - most} more` : ''}.`;
}

function lengthApart(a: string, b: string): number {
  return Math.abs(a.length - b.length) - (a.startsWith(b) || b.startsWith(a) ? maxCompared : 0);
}

function distanceBetween(a: string, b: string): number {
  // The time is the product of the lengths, and both may come from the file.
  if (a.length > maxCompared || b.length > maxCompared) return Number.POSITIVE_INFINITY;
  // A part of a name is more likely than a typo.
  if (Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a))) return 1;
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  // Two letters that changed places are one slip, and not two.
  return isTransposed(one, other) ? 1 : distance(one, other);
}

function isTransposed(a: string, b: string): boolean {
  const at = [...a].findIndex((character, index) => character !== b[index]);
  if (at === -1 || a.length !== b.length) return false;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
