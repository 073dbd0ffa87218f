import { concatBytes, type Pace } from '@repertoire/skills-core/internal';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { gzipSync, zipSync } from 'fflate';
import { recordOf } from '../provider/record-of.ts';
import { storedGzip } from './stored-gzip.ts';
import { ustarName, ustarParts } from './ustar.ts';

/** An archive. */
export interface PackedSkill {
  readonly bytes: Uint8Array;
  readonly extension: 'tar.gz' | 'zip';
  readonly mediaType: 'application/gzip' | 'application/zip';
  /** SHA-256 of the bytes. */
  readonly digest: string;
}

/**
 * A path that surely fits: a letter has at most three bytes in UTF-8, and a name of a tar a
 * hundred.
 */
const shortPath = 33;

/**
 * Packs files so that the same files give the same bytes, whatever the platform, the clock, the
 * time zone and the order in which they were found.
 *
 * A tar.gz with plain ustar headers, as some clients cut longer names; where a name does not fit
 * one, a zip.
 *
 * @param compress compressing takes ten times as long as all the rest of publishing; what is not
 *   can be compressed on its way
 */
export async function packSkill(files: ReadonlyMap<string, Uint8Array>, compress: boolean, pace: Pace): Promise<PackedSkill> {
  const packed = await pack(files, compress, pace);
  return { ...packed, digest: await sha256Hex(packed.bytes) };
}

async function pack(files: ReadonlyMap<string, Uint8Array>, compress: boolean, pace: Pace): Promise<Omit<PackedSkill, 'digest'>> {
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  if ([...sorted.keys()].every((path) => path.length <= shortPath || ustarName(path) !== null)) {
    const tar = ustarParts([...sorted].map(([path, bytes]) => ({ path, bytes, mode: modeOf(path) })));
    // In JavaScript, since the compressors of platforms differ.
    const bytes = compress ? gzipSync(concatBytes(tar), { mtime: 0, level: 6 }) : await storedGzip(tar, pace);
    return { bytes, extension: 'tar.gz', mediaType: 'application/gzip' };
  }
  // A zip holds local time, so this is the same text in every zone, and the first that there is.
  const mtime = new Date(1980, 0, 1);
  return { bytes: zipSync(recordOf(sorted), { mtime, level: compress ? 6 : 0 }), extension: 'zip', mediaType: 'application/zip' };
}

function modeOf(path: string): number {
  return path.startsWith('scripts/') ? 0o755 : 0o644;
}
