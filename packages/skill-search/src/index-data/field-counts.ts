import type { SkillSearchField } from '@repertoire/skills-core/internal';
import { fieldMasks, placeBits, placeMask, skillFields } from './posting.ts';
import type { PostingRange, Segment } from './segment.ts';

/**
 * Counts of each segment: one for each field of each term, in the order of `skillFields`; 0 until
 * first used.
 */
const counted: WeakMap<Segment, Uint16Array> = new WeakMap();

/** Adds to `having`, by field, how many skills contain a term. Cached for frequent words. */
export function addFieldCounts(segment: Segment, { term, from, to }: PostingRange, having: number[]): void {
  let counts = counted.get(segment);
  if (counts === undefined) {
    counts = new Uint16Array(segment.hashes.length * skillFields.length);
    counted.set(segment, counts);
  }
  const first = term * skillFields.length;
  if (skillFields.every((_, index) => counts[first + index] === 0)) {
    for (let at = from; at < to; at += 1) {
      const code = (segment.postings[at] as number) >>> placeBits;
      for (const [index, field] of skillFields.entries())
        if ((code & fieldMasks[field]) !== 0) counts[first + index] = (counts[first + index] as number) + 1;
    }
  }
  for (let index = 0; index < having.length; index += 1) having[index] = (having[index] as number) + (counts[first + index] as number);
}

/**
 * Does the same for the skills of a mask alone. Nothing is cached, because each request may have
 * another mask.
 *
 * @returns whether one of them contains the term
 */
export function addAcceptedCounts({ postings }: Segment, { from, to }: PostingRange, mask: Uint8Array, having: number[]): boolean {
  let isFound = false;
  for (let at = from; at < to; at += 1) {
    const posting = postings[at] as number;
    if (mask[posting & placeMask] !== 1) continue;
    isFound = true;
    const code = posting >>> placeBits;
    for (let index = 0; index < skillFields.length; index += 1)
      if ((code & fieldMasks[skillFields[index] as SkillSearchField]) !== 0) having[index] = (having[index] as number) + 1;
  }
  return isFound;
}
