import { Pace } from '@repertoire/skills-core/internal';

/** About three milliseconds of packing. */
const bytesPerSlice = 524_288;
/** What every file costs besides its bytes. */
export const fileCost = 8_192;

/** The pace of reading, packing and hashing files, which is counted in bytes. */
export function packingPace(): Pace {
  return new Pace(bytesPerSlice);
}
