const digit = 11;
const values = 1 << digit;

/**
 * Sorts postings by hash, stably: a radix sort in three passes. The platform's sort compares single
 * numbers, so it would need both in one, and is several times slower.
 *
 * @param rest is awaited between two passes
 */
export async function sortByHash(
  hashes: Uint32Array,
  postings: Uint32Array,
  rest: () => Promise<void>,
): Promise<[hashes: Uint32Array, postings: Uint32Array]> {
  let from: [Uint32Array, Uint32Array] = [hashes, postings];
  let to: [Uint32Array, Uint32Array] = [new Uint32Array(hashes.length), new Uint32Array(hashes.length)];
  for (let shift = 0; shift < 32; shift += digit) {
    const [fromHashes, fromPostings] = from;
    const [toHashes, toPostings] = to;
    const starts = new Uint32Array(values + 1);
    // By index: there are a hundred thousand, and uncompiled iterators are several times slower.
    for (let at = 0; at < fromHashes.length; at += 1) {
      const next = (((fromHashes[at] as number) >>> shift) & (values - 1)) + 1;
      starts[next] = (starts[next] as number) + 1;
    }
    for (let value = 1; value < values; value += 1) starts[value] = (starts[value] as number) + (starts[value - 1] as number);
    for (let at = 0; at < fromHashes.length; at += 1) {
      const hash = fromHashes[at] as number;
      const value = (hash >>> shift) & (values - 1);
      const place = starts[value] as number;
      starts[value] = place + 1;
      toHashes[place] = hash;
      toPostings[place] = fromPostings[at] as number;
    }
    [from, to] = [to, from];
    await rest();
  }
  return from;
}
