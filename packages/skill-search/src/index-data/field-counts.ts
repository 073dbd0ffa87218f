import { fieldMasks, placeBits, skillFields } from './posting.ts';
import type { PostingRange, Segment } from './segment.ts';

/**
 * Counts of each segment: four numbers for each term, in the order of `skillFields`. All zero until
 * a term is first used.
 */
const counted: WeakMap<Segment, Uint16Array> = new WeakMap();

/**
 * Adds to `having`, for each field, the number of skills of the segment that contain a term. Counts
 * are cached, because frequent words are used again and again.
 */
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
