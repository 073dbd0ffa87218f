import { fieldMasks, placeBits, skillFields } from './posting.ts';
import type { PostingRange, Segment } from './segment.ts';

/** What was counted of each segment: four numbers for a term, in the order of `skillFields`. All zero where a term was not asked for yet. */
const counted: WeakMap<Segment, Uint16Array> = new WeakMap();

/** Adds to `having`, for each field, in how many skills of the segment a term stands there. It is counted once: frequent words are asked for again and again. */
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
