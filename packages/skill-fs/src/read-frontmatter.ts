import { isUtf8 } from 'node:buffer';
import fs, { type Stats } from 'node:fs';
import { disk, DiskReader, type DiskSteps } from './disk-steps.ts';
import { scanFrontmatter } from '@repertoire/skills-core/provider';
import type { DiskPace } from './disk-pace.ts';
import { readOnlyFlags, readStart } from './open-regular-file.ts';

const firstReadBytes = 4_096;
const hyphen = 0x2d;
const lineFeed = 0x0a;
const closingLine = Buffer.from('\n---');

/** The start of a `SKILL.md`. */
export interface FrontmatterRead {
  readonly stats: Stats;
  /** The frontmatter; `null` for no regular file. Bytes are valid until the buffer is reused. */
  readonly head: string | Uint8Array | null;
  /** Whether there is a frontmatter that ends. */
  readonly framed: boolean;
}

/** A buffer for {@link readFrontmatter}; one file at a time. */
export function frontmatterBuffer(): Buffer {
  return Buffer.allocUnsafeSlow(firstReadBytes);
}

/** Reads the first 4 KiB at once, and twice as much each time while the frontmatter goes on. */
export function readFrontmatterNow(file: string, maxBytes: number, buffer: Buffer): FrontmatterRead {
  const descriptor = fs.openSync(file, readOnlyFlags);
  try {
    const stats = fs.fstatSync(descriptor);
    if (!stats.isFile()) return { stats, head: null, framed: false };
    const first = fs.readSync(descriptor, buffer, 0, buffer.length, 0);
    const plain = plainHead(buffer, Math.min(first, maxBytes));
    if (plain !== null) return { stats, head: plain, framed: true };
    let reach = reachOf(buffer, first, stats, maxBytes);
    while (reach.more > 0) {
      const longer = Buffer.alloc(reach.more);
      const length = fs.readSync(descriptor, longer, 0, longer.length, 0);
      // It became shorter meanwhile.
      if (length <= reach.bytes.length) break;
      reach = reachOf(longer, length, stats, maxBytes);
    }
    return { stats, head: headOf(reach), framed: reach.end !== null };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The same by threads, unless the disk is quick enough to do it at once. */
export async function readFrontmatter(file: string, maxBytes: number, buffer: Buffer, pace: DiskPace): Promise<FrontmatterRead> {
  const { stats, length } = await readFirst(file, buffer, pace);
  if (!stats.isFile()) return { stats, head: null, framed: false };
  const plain = plainHead(buffer, Math.min(length, maxBytes));
  if (plain !== null) return { stats, head: plain, framed: true };
  let reach = reachOf(buffer, length, stats, maxBytes);
  while (reach.more > 0) {
    const longer = await readLonger(file, reach.more);
    if (longer.length <= reach.bytes.length) break;
    reach = reachOf(longer, longer.length, stats, maxBytes);
  }
  return { stats, head: headOf(reach), framed: reach.end !== null };
}

/**
 * The frontmatter of a plain file: `---` lines, UTF-8, no NUL, as nearly all have. `null` for
 * others, which {@link scanFrontmatter} handles more slowly.
 *
 * @param length how many bytes of the buffer are the file's
 */
function plainHead(buffer: Buffer, length: number): string | null {
  if (buffer[0] !== hyphen || buffer[1] !== hyphen || buffer[2] !== hyphen || buffer[3] !== lineFeed) return null;
  const before = buffer.indexOf(closingLine, 3);
  const end = before + closingLine.length + 1;
  if (before === -1 || end > length || buffer[end - 1] !== lineFeed) return null;
  const head = buffer.toString('latin1', 0, end);
  if (!/[^\n\x20-\x7E]/.test(head)) return head;
  const text = buffer.toString('utf8', 0, end);
  return text.includes('\uFFFD') || text.includes('\0') ? null : text;
}

interface Reach {
  readonly bytes: Buffer;
  /** Where the frontmatter ends, with its closing line. */
  readonly end: number | null;
  /** How many bytes to read instead; 0 if these are enough. */
  readonly more: number;
}

function reachOf(buffer: Buffer, length: number, stats: Stats, maxBytes: number): Reach {
  const bytes = buffer.subarray(0, Math.min(length, maxBytes));
  const partial = bytes.length < stats.size;
  const scan = scanFrontmatter(bytes, { partial });
  const more = partial && bytes.length < maxBytes && scan.status === 'unclosed' ? Math.min(bytes.length * 2, maxBytes) : 0;
  return { bytes, end: scan.status === 'complete' ? scan.end : null, more };
}

/** Text up to the end of the frontmatter if that is plain UTF-8; else the bytes. */
function headOf({ bytes, end }: Reach): string | Uint8Array {
  if (end === null) return bytes;
  const head = bytes.subarray(0, end);
  // A byte order mark, and two bytes a character, begin with neither.
  const isText = (head[0] === hyphen || head[0] === lineFeed) && isUtf8(head) && !head.includes(0);
  return isText ? head.toString('utf8') : head;
}

/** With a bare descriptor: promises and a `FileHandle` take more than twice as long. */
function readFirst(file: string, buffer: Buffer, pace: DiskPace): Promise<{ stats: Stats; length: number }> {
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
        if (pace.isSlow) return fs.read(descriptor, buffer, 0, buffer.length, 0, (readError, length) => finish(readError, stats, length));
        finish(
          null,
          stats,
          pace.call(() => fs.readSync(descriptor, buffer, 0, buffer.length, 0)),
        );
      } catch (error) {
        finish(error, null, 0);
      }
    });
  });
}

async function readLonger(file: string, length: number): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = await new DiskReader().run(startOf(file, length));
  return Buffer.from(buffer, byteOffset, byteLength);
}

function* startOf(file: string, length: number): DiskSteps<Uint8Array> {
  const { descriptor } = yield* disk.open(file, readOnlyFlags);
  try {
    return yield* readStart(descriptor, length);
  } finally {
    fs.closeSync(descriptor);
  }
}
