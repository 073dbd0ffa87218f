/** The longest that is spent on one input, in milliseconds: each try may be slow. */
const patienceMs = 20_000;

/** Leaves out what can be left out of an input while the fault stays, within so many tries. */
export async function shrink(input: Uint8Array, isSame: (candidate: Uint8Array) => Promise<boolean>, tries: number): Promise<Uint8Array> {
  let best = input;
  let left = tries;
  const end = performance.now() + patienceMs;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length && left > 0 && performance.now() < end;) {
      left -= 1;
      const candidate = new Uint8Array([...best.subarray(0, at), ...best.subarray(at + size)]);
      if (await isSame(candidate)) best = candidate;
      else at += size;
    }
  }
  return best;
}
