/** Where the frontmatter lies, in bytes or UTF-16 units of the content. */
export type FrontmatterScan =
  /** The file does not start with `---`. */
  | { readonly status: 'none' }
  /** No line `---` ends it; or, with `partial`, more must be read to tell. */
  | { readonly status: 'unclosed'; readonly line: number }
  | {
      readonly status: 'complete';
      /** Line of the opening `---`, from 1. Greater than 1 where blank lines stand before it. */
      readonly line: number;
      /** The YAML: from `yamlStart` up to, not including, `yamlEnd`. */
      readonly yamlStart: number;
      readonly yamlEnd: number;
      /** First offset behind the closing line: where the body starts. */
      readonly end: number;
    };

/** Options of {@link scanFrontmatter}. */
export interface ScanFrontmatterOptions {
  /** The content is only the start of the file, whose last line may be cut. @default false */
  readonly partial?: boolean | undefined;
}

const hyphen = 0x2d;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Finds the frontmatter without decoding or parsing anything. Both delimiters are whole lines:
 * `---`, and nothing behind it but spaces or tabs. So `----`, `--- text`, an indented `---` and
 * `...` do not close it, and the first line that does wins. A byte order mark and blank lines
 * before the opening line are skipped. Lines end with `\n`, `\r\n` or `\r`.
 *
 * Source: Agent Skills specification, "SKILL.md format"; client guide, "Parsing SKILL.md files".
 *
 * @example Whether the first 4 KiB of a file are enough
 * ```ts
 * import { scanFrontmatter } from '@repertoire/skills-core/provider';
 *
 * export function isEnough(firstBytes: Uint8Array): boolean {
 *   return scanFrontmatter(firstBytes, { partial: true }).status !== 'unclosed';
 * }
 * ```
 */
export function scanFrontmatter(content: Uint8Array | string, { partial = false }: ScanFrontmatterOptions = {}): FrontmatterScan {
  const plain = typeof content === 'string' ? scanPlain(content) : null;
  if (plain !== null) return plain;
  const unitAt = typeof content === 'string' ? (index: number) => content.charCodeAt(index) : (index: number) => content[index] as number;
  const { length } = content;
  const endOfLine = lineEndFinder(content);
  let lineStart = lengthOfByteOrderMark(content);
  if (partial && length < 3 && isStartOfByteOrderMark(content)) return { status: 'unclosed', line: 1 };
  let lineEnd = endOfLine(lineStart);
  let line = 1;
  while (lineEnd < length && isBlank(unitAt, lineStart, lineEnd)) {
    lineStart = startOfNextLine(unitAt, lineEnd, length);
    lineEnd = endOfLine(lineStart);
    line += 1;
  }
  if (partial && lineEnd === length && couldBecomeDelimiter(unitAt, lineStart, lineEnd)) return { status: 'unclosed', line };
  if (!isDelimiter(unitAt, lineStart, lineEnd)) return { status: 'none' };

  const yamlStart = startOfNextLine(unitAt, lineEnd, length);
  lineStart = yamlStart;
  while (lineStart < length) {
    lineEnd = endOfLine(lineStart);
    if (isDelimiter(unitAt, lineStart, lineEnd)) {
      if (partial && lineEnd === length) break;
      return { status: 'complete', line, yamlStart, yamlEnd: lineStart, end: startOfNextLine(unitAt, lineEnd, length) };
    }
    lineStart = startOfNextLine(unitAt, lineEnd, length);
  }
  return { status: 'unclosed', line };
}

/**
 * The same for a text that begins with `---` and has lines that end with `\n` alone up to the
 * closing `---`, as nearly all have. The engine searches for the end, so that the lines between are
 * not looked at one by one. `null` for every other text.
 */
function scanPlain(text: string): FrontmatterScan | null {
  if (!text.startsWith('---\n')) return null;
  const before = text.indexOf('\n---', 3);
  // Else it is a longer line, or has blanks behind it, or is where a part ends.
  if (before === -1 || text.charCodeAt(before + 4) !== lineFeed) return null;
  const firstReturn = text.indexOf('\r');
  if (firstReturn !== -1 && firstReturn < before) return null;
  return { status: 'complete', line: 1, yamlStart: 4, yamlEnd: before + 1, end: before + 5 };
}

type UnitAt = (index: number) => number;

function lengthOfByteOrderMark(content: Uint8Array | string): number {
  if (typeof content === 'string') return content.startsWith('\uFEFF') ? 1 : 0;
  return content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf ? 3 : 0;
}

function isStartOfByteOrderMark(content: Uint8Array | string): boolean {
  return typeof content !== 'string' && content[0] === 0xef && (content.length < 2 || content[1] === 0xbb);
}

/**
 * Finds the ends of lines, asked from the first to the last. The search is the engine's own, which
 * is many times faster than looking at each unit; carriage returns, which most files have none of,
 * are looked for once.
 */
function lineEndFinder(content: Uint8Array | string): (start: number) => number {
  const find = (unit: number, from: number): number => {
    const index = typeof content === 'string' ? content.indexOf(String.fromCharCode(unit), from) : content.indexOf(unit, from);
    return index === -1 ? content.length : index;
  };
  let nextReturn = -1;
  return (start) => {
    if (nextReturn < start) nextReturn = find(carriageReturn, start);
    return Math.min(find(lineFeed, start), nextReturn);
  };
}

function startOfNextLine(unitAt: UnitAt, lineEnd: number, length: number): number {
  if (lineEnd >= length) return length;
  const isPair = unitAt(lineEnd) === carriageReturn && lineEnd + 1 < length && unitAt(lineEnd + 1) === lineFeed;
  return lineEnd + (isPair ? 2 : 1);
}

function isBlank(unitAt: UnitAt, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    const unit = unitAt(index);
    if (unit !== 0x20 && unit !== 0x09) return false;
  }
  return true;
}

function isDelimiter(unitAt: UnitAt, start: number, end: number): boolean {
  if (end - start < 3 || unitAt(start) !== hyphen || unitAt(start + 1) !== hyphen || unitAt(start + 2) !== hyphen) return false;
  return isBlank(unitAt, start + 3, end);
}

function couldBecomeDelimiter(unitAt: UnitAt, start: number, end: number): boolean {
  if (isBlank(unitAt, start, end)) return true;
  let index = start;
  while (index < end && index < start + 3 && unitAt(index) === hyphen) index += 1;
  return index === end || isDelimiter(unitAt, start, end);
}
