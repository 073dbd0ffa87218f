import { isUtf8 } from 'node:buffer';
import fs, { type Stats } from 'node:fs';
import { scanFrontmatter } from '@repertoire/skills-core/provider';
import { readOnlyFlags } from './open-regular-file.ts';

const hyphen = 0x2d;
const lineFeed = 0x0a;
const closingLine = Buffer.from('\n---');
/** One file at a time: what is made of it is done before the next is read. */
const buffer = Buffer.allocUnsafeSlow(4_096);

/** The start of a `SKILL.md`. */
export interface FrontmatterRead {
  readonly stats: Stats;
  /** The frontmatter; `null` for no regular file. Bytes are valid until the next is read. */
  readonly head: string | Uint8Array | null;
  /** Whether there is a frontmatter that ends. */
  readonly framed: boolean;
}

/** Reads the first 4 KiB, and twice as much each time while the frontmatter goes on. */
export function readFrontmatter(file: string, maxBytes: number): FrontmatterRead {
  const descriptor = fs.openSync(file, readOnlyFlags);
  try {
    const stats = fs.fstatSync(descriptor);
    if (!stats.isFile()) return { stats, head: null, framed: false };
    let bytes = buffer;
    let length = Math.min(fs.readSync(descriptor, buffer, 0, buffer.length, 0), maxBytes);
    const plain = plainHead(length);
    if (plain !== null) return { stats, head: plain, framed: true };
    for (;;) {
      const start = bytes.subarray(0, length);
      const partial = length < stats.size;
      const scan = scanFrontmatter(start, { partial });
      if (scan.status === 'complete') return { stats, head: textOf(start.subarray(0, scan.end)), framed: true };
      if (scan.status !== 'unclosed' || !partial || length >= maxBytes) return { stats, head: start, framed: false };
      bytes = Buffer.alloc(Math.min(length * 2, maxBytes));
      const longer = fs.readSync(descriptor, bytes, 0, bytes.length, 0);
      // It became shorter meanwhile.
      if (longer <= length) return { stats, head: start, framed: false };
      length = longer;
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * The frontmatter of a plain file: `---` lines, UTF-8, no NUL, as nearly all have. `null` for
 * others, which {@link scanFrontmatter} handles more slowly.
 *
 * @param length how many bytes of the buffer are the file's
 */
function plainHead(length: number): string | null {
  if (buffer[0] !== hyphen || buffer[1] !== hyphen || buffer[2] !== hyphen || buffer[3] !== lineFeed) return null;
  const before = buffer.indexOf(closingLine, 3);
  const end = before + closingLine.length + 1;
  if (before === -1 || end > length || buffer[end - 1] !== lineFeed) return null;
  const head = buffer.toString('latin1', 0, end);
  if (!/[^\n\x20-\x7E]/.test(head)) return head;
  const text = buffer.toString('utf8', 0, end);
  return text.includes('\uFFFD') || text.includes('\0') ? null : text;
}

/** Plain UTF-8 as text; else the bytes. */
function textOf(head: Buffer): string | Uint8Array {
  // A byte order mark, and two bytes a character, begin with neither.
  const isText = (head[0] === hyphen || head[0] === lineFeed) && isUtf8(head) && !head.includes(0);
  return isText ? head.toString('utf8') : head;
}
