import { concatBytes, type Pace } from '@repertoire/skills-core/internal';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { gzipSync, zipSync } from 'fflate';
import { recordOf } from '../provider/record-of.ts';
import { packingPace } from './packing-pace.ts';
import { Scratch, storedGzip } from './stored-gzip.ts';
import { ustarName, ustarParts } from './ustar.ts';

/** An archive. */
export interface PackedSkill {
  /**
   * Its bytes. What is not compressed is laid out anew each time, so that no file is in memory
   * twice: that takes less time than sending it.
   */
  readonly read: () => Promise<Uint8Array>;
  /** Number of its bytes. */
  readonly length: number;
  readonly extension: 'tar.gz' | 'zip';
  readonly mediaType: 'application/gzip' | 'application/zip';
  /** SHA-256 of the bytes. */
  readonly digest: string;
}

/**
 * A path of this length always fits: a UTF-16 unit has at most three bytes in UTF-8, and a tar name
 * has a hundred bytes.
 */
const shortPath = 33;

/**
 * Packs files so that the same files give the same bytes, whatever the platform, the clock, the
 * time zone and the order in which they were found.
 *
 * The result is a tar.gz with plain ustar headers, because some clients cut longer names. If a name
 * does not fit, it is a zip.
 *
 * @param compress compressing takes ten times as long as all other work of publishing; an
 *   uncompressed archive can be compressed while it is sent
 * @param scratch for the bytes that are only hashed; nobody else may use it meanwhile
 */
export async function packSkill(
  files: ReadonlyMap<string, Uint8Array>,
  compress: boolean,
  pace: Pace,
  scratch: Scratch = new Scratch(),
): Promise<PackedSkill> {
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  const isTar = [...sorted.keys()].every((path) => path.length <= shortPath || ustarName(path) !== null);
  const kind = isTar ? tarKind : zipKind;
  const tar = (): readonly Uint8Array[] => ustarParts([...sorted].map(([path, bytes]) => ({ path, bytes, mode: modeOf(path) })));
  if (isTar && !compress) {
    const bytes = await storedGzip(tar(), pace, scratch);
    return { ...kind, read: () => storedGzip(tar(), packingPace()), length: bytes.length, digest: await sha256Hex(bytes) };
  }
  // Compressed in JavaScript, because the compressors of platforms give different bytes.
  const bytes = isTar ? gzipSync(concatBytes(tar()), { mtime: 0, level: 6 }) : zipped(sorted, compress);
  return { ...kind, read: () => Promise.resolve(bytes), length: bytes.length, digest: await sha256Hex(bytes) };
}

const tarKind = { extension: 'tar.gz', mediaType: 'application/gzip' } as const;
const zipKind = { extension: 'zip', mediaType: 'application/zip' } as const;

function zipped(files: ReadonlyMap<string, Uint8Array>, compress: boolean): Uint8Array {
  // A zip stores local time. This date, the first that it can store, has the same bytes in every
  // zone.
  return zipSync(recordOf(files), { mtime: new Date(1980, 0, 1), level: compress ? 6 : 0 });
}

function modeOf(path: string): number {
  return path.startsWith('scripts/') ? 0o755 : 0o644;
}
