import type { CondensedSkill } from './condense-skill.ts';
import { placeBits, placeMask } from './posting.ts';
import { sortByHash } from './sort-by-hash.ts';

/** Maximum number of skills in a segment. Small enough to build one in a few milliseconds. */
export const segmentSize = 256;

/** Start and end of the postings of a term. */
export interface PostingRange {
  /** Number of the term in the segment. */
  readonly term: number;
  readonly from: number;
  readonly to: number;
}

/**
 * An immutable part of the index, with up to 256 skills. `hashes` are the terms in ascending order.
 * The postings of `hashes[i]` are at `offsets[i]` to `offsets[i + 1]`, ascending by the place of
 * the skill. Words are not stored: a request brings its own.
 */
export interface Segment {
  /** Number of skills. Their places are 0 to `size - 1`. */
  readonly size: number;
  readonly hashes: Uint32Array;
  readonly offsets: Uint32Array;
  readonly postings: Uint32Array;
}

/**
 * Builds a segment. The place of a skill is its index in `skills`.
 *
 * @param rest is waited for between two steps, each of which takes a millisecond or two
 */
export async function buildSegment(skills: readonly CondensedSkill[], rest: () => Promise<void>): Promise<Segment> {
  const length = skills.reduce((sum, { hashes }) => sum + hashes.length, 0);
  const hashes = new Uint32Array(length);
  const postings = new Uint32Array(length);
  let at = 0;
  for (const [place, skill] of skills.entries()) {
    hashes.set(skill.hashes, at);
    const { codes } = skill;
    for (let index = 0; index < codes.length; index += 1) postings[at + index] = ((codes[index] as number) << placeBits) | place;
    at += codes.length;
  }
  await rest();
  return assemble(skills.length, ...(await sortByHash(hashes, postings, rest)));
}

/** Reverses {@link buildSegment}: returns what the segment contains of each skill. */
export function skillsOfSegment(segment: Segment): CondensedSkill[] {
  const lengths = new Uint32Array(segment.size);
  for (const posting of segment.postings) lengths[posting & placeMask] = (lengths[posting & placeMask] as number) + 1;
  const skills = Array.from(lengths, (length) => ({ hashes: new Uint32Array(length), codes: new Uint32Array(length) }));
  lengths.fill(0);
  for (const [term, hash] of segment.hashes.entries()) {
    for (const posting of segment.postings.subarray(segment.offsets[term], segment.offsets[term + 1])) {
      const place = posting & placeMask;
      const skill = skills[place] as CondensedSkill;
      const at = lengths[place] as number;
      skill.hashes[at] = hash;
      skill.codes[at] = posting >>> placeBits;
      lengths[place] = at + 1;
    }
  }
  return skills;
}

/** Hashes are evenly distributed, so a term is rarely farther than this from its expected place. */
const nearby = 256;

/** The postings of a term; `null` if no skill contains it. */
export function findTerm({ hashes, offsets }: Segment, hash: number): PostingRange | null {
  const guess = Math.floor((hash / 2 ** 32) * hashes.length);
  let low = Math.max(0, guess - nearby);
  let high = Math.min(hashes.length, guess + nearby);
  if (low > 0 && (hashes[low] as number) > hash) low = 0;
  if (high < hashes.length && (hashes[high] as number) <= hash) high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] as number) < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash ? { term: low, from: offsets[low] as number, to: offsets[low + 1] as number } : null;
}

/**
 * Returns the code of the skill at a place within a range of postings; 0 if it is not in the range.
 */
export function codeAt({ postings }: Segment, { from, to }: PostingRange, place: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (((postings[middle] as number) & placeMask) < place) low = middle + 1;
    else high = middle;
  }
  const posting = low < to ? (postings[low] as number) : 0;
  return (posting & placeMask) === place ? posting >>> placeBits : 0;
}

/** @param sorted the hash of each posting, ascending */
function assemble(size: number, sorted: Uint32Array, postings: Uint32Array): Segment {
  let terms = 0;
  for (let at = 0; at < sorted.length; at += 1) if (at === 0 || sorted[at] !== sorted[at - 1]) terms += 1;
  const hashes = new Uint32Array(terms);
  const offsets = new Uint32Array(terms + 1);
  let term = 0;
  for (let at = 0; at < sorted.length; at += 1) {
    if (at > 0 && sorted[at] === sorted[at - 1]) continue;
    hashes[term] = sorted[at] as number;
    offsets[term] = at;
    term += 1;
  }
  offsets[terms] = sorted.length;
  return { size, hashes, offsets, postings: postings.slice() };
}
