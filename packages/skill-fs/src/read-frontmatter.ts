import fs, { type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { scanFrontmatter } from '@repertoire/skills-core/skill-md';
import { readOnlyFlags, readStart } from './open-regular-file.ts';

/** Most frontmatters end well within it, and disks read no less at once. */
const firstReadBytes = 4_096;

/** The start of a `SKILL.md`. */
export interface FrontmatterRead {
  readonly stats: Stats;
  /** The bytes up to where the frontmatter ends, and a little more. `null` for what is no regular file. Valid until the buffer is used again. */
  readonly bytes: Uint8Array | null;
  /** Whether there is a frontmatter that ends. */
  readonly framed: boolean;
}

/** What the files of one scan are read with, one after the other; make as many as files are read at a time. */
export interface FrontmatterReader {
  readonly buffer: Buffer;
  /** Shared by the readers of a scan. */
  readonly disk: { slowReads: number };
}

/** A read that takes longer than this comes from a cold disk or a network; or something else had the processor, so one alone proves nothing. */
const slowReadMs = 1;
const slowReadsAreProof = 8;

/** Makes readers for one scan. */
export function frontmatterReaders(count: number): FrontmatterReader[] {
  const disk = { slowReads: 0 };
  return Array.from({ length: count }, () => ({ buffer: Buffer.allocUnsafeSlow(firstReadBytes), disk }));
}

/**
 * Reads the frontmatter of a `SKILL.md` and no more of the file than its first 4 KiB, unless the frontmatter is longer: then twice as much each
 * time, up to a bound.
 */
export async function readFrontmatter(file: string, maxBytes: number, reader: FrontmatterReader): Promise<FrontmatterRead> {
  const { stats, length } = await readFirst(file, reader);
  if (!stats.isFile()) return { stats, bytes: null, framed: false };
  let bytes: Uint8Array = reader.buffer.subarray(0, Math.min(length, maxBytes));
  let partial = bytes.length < stats.size;
  let scan = scanFrontmatter(bytes, { partial });
  while (partial && bytes.length < maxBytes && scan.status === 'unclosed') {
    const longer = await readLonger(file, Math.min(bytes.length * 2, maxBytes));
    // It became shorter meanwhile.
    if (longer.length <= bytes.length) break;
    bytes = longer;
    partial = bytes.length < stats.size;
    scan = scanFrontmatter(bytes, { partial });
  }
  return { stats, bytes, framed: scan.status === 'complete' };
}

/**
 * On a bare descriptor with callbacks, because of all that a listing does this is done most often: with promises and a `FileHandle` it takes more
 * than twice as long.
 *
 * Opening may wait for a disk or a network, and is left to a thread. What follows is quicker done than handed over, until a read turns out to wait
 * as well: then the threads read the rest.
 */
function readFirst(file: string, { buffer, disk }: FrontmatterReader): Promise<{ stats: Stats; length: number }> {
  return new Promise((resolve, reject) => {
    fs.open(file, readOnlyFlags, (openError, descriptor) => {
      if (openError !== null) return reject(openError);
      const finish = (error: unknown, stats: Stats | null, length: number): void => {
        fs.closeSync(descriptor);
        if (stats === null || error !== null) reject(error);
        else resolve({ stats, length });
      };
      try {
        const stats = fs.fstatSync(descriptor);
        if (!stats.isFile()) return finish(null, stats, 0);
        if (disk.slowReads >= slowReadsAreProof)
          return fs.read(descriptor, buffer, 0, buffer.length, 0, (readError, length) => finish(readError, stats, length));
        const start = performance.now();
        const length = fs.readSync(descriptor, buffer, 0, buffer.length, 0);
        if (performance.now() - start > slowReadMs) disk.slowReads += 1;
        finish(null, stats, length);
      } catch (error) {
        finish(error, null, 0);
      }
    });
  });
}

async function readLonger(file: string, length: number): Promise<Uint8Array> {
  const handle = await open(file, readOnlyFlags);
  try {
    return await readStart(handle, length);
  } finally {
    await handle.close();
  }
}
