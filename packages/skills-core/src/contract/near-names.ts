import { editsBetween } from './edits-between.ts';

/** Names of any length may be given. */
export const comparedCharacters = 256;
/**
 * Of these, edits are counted: the time grows with the square, and a listing may have thousands.
 */
const editedCharacters = 64;

/** Up to three of `names` that are closest to `wanted`, nearest first. */
export function nearNames(wanted: string, names: readonly string[]): string[] {
  const key = fold(wanted);
  const limit = Math.max(2, Math.floor(key.length / 3));
  const ranked = names
    .map((name) => ({ name, away: awayFrom(key, fold(name), limit) }))
    .filter(({ away }) => away <= limit)
    .sort((a, b) => a.away - b.away);
  const nearest = ranked[0]?.away ?? 0;
  return ranked
    .filter(({ away }) => away <= nearest + 1)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Edits between two names; `limit + 1` where they are certainly more. */
function awayFrom(a: string, b: string, limit: number): number {
  // A part of a name is a likelier slip than any typing error: "billing" for "billing-refunds".
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.includes(short)) return 1;
  // Each letter more is a slip.
  const isFar = short.length === 0 || long.length - short.length > limit;
  return isFar ? limit + 1 : editsBetween(a.slice(0, editedCharacters), b.slice(0, editedCharacters));
}

/** The form in which spellings of a name are compared; the start of a long name. */
export function fold(given: string): string {
  const name = given.length > comparedCharacters ? given.slice(0, comparedCharacters) : given;
  // Nearly every name is so already, and there may be thousands.
  if (/^(?:-?[a-z0-9])+$/.test(name)) return name;
  return name
    .normalize('NFKC')
    .trim()
    .replace(/^[/$@]/, '')
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
}
