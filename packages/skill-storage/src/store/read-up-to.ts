import { concatBytes } from '@repertoire/skills-core/internal';

/** The first bytes of a response, and its full length. */
export interface CutBody {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/**
 * Reads no more of a response than needed. If it does not announce its length, the rest is counted
 * and discarded.
 *
 * @param length the full length, if known
 */
export async function readUpTo(response: Response, maxBytes: number, length: number | undefined): Promise<CutBody> {
  const parts: Uint8Array[] = [];
  let [kept, counted] = [0, 0];
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    counted += part.value.length;
    const wanted = part.value.subarray(0, maxBytes - kept);
    if (wanted.length > 0) parts.push(wanted);
    kept += wanted.length;
    if (kept === maxBytes && length !== undefined) {
      await reader?.cancel();
      break;
    }
  }
  return { bytes: concatBytes(parts), length: length ?? counted };
}
