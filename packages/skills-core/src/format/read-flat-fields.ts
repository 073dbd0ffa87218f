import type { SkillFieldValue } from '../contract/skill-provider.ts';
import type { YamlEntry } from './yaml-reading.ts';

/** Keys that mean the same wherever they stand; any other is left to the parser. */
const plainKey = /^[A-Za-z_][\w.-]{0,99}$/;

const lineFeed = 0x0a;
const space = 0x20;
const dash = 0x2d;
const bar = 0x7c;
const greater = 0x3e;
const doubleQuote = 0x22;
const singleQuote = 0x27;

/** No real frontmatter has half as many fields. */
const mostFields = 32;

/** What a plain text may begin with: nothing that YAML gives a meaning to. */
const plainStart = /^[^\s?:,[\]{}#&*!|>'"%@`-]/;

/** What is not ASCII. Most texts have none, and one look is enough to tell. */
const notPlain = /[^\n\x20-\x7E]/;

/** Control and format characters that YAML, or its readers, treat each in their own way. Line ends are `\n` alone. */
// eslint-disable-next-line no-control-regex
const unusual = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/;

const escapes: Readonly<Record<string, string>> = { '\\"': '"', '\\\\': '\\', '\\/': '/', '\\n': '\n', '\\t': '\t' };

/**
 * Reads frontmatter of the plainest shape by itself: top-level fields with plain, quoted or block texts, and maps and lists of such texts one level
 * below. Nearly all real frontmatter is of this shape, ten thousand of them may be read at a start, and a process that meets no other need not load a
 * YAML parser. When unsure, it returns `null`.
 *
 * @param text the frontmatter, with `\n` line ends
 * @returns the same as the parser, or `null` for every other shape, and for all that has an error or a comment
 */
export function readFlatFields(text: string, typedKeys: ReadonlySet<string>): YamlEntry[] | null {
  if (!text.endsWith('\n') || (notPlain.test(text) && !isUsual(text))) return null;
  const lines = new Lines(text);
  const entries: YamlEntry[] = [];
  while (lines.skipEmpty()) {
    const { offset } = lines;
    const key = keyOf(lines.line);
    if (key === null || typedKeys.has(key) || entries.length === mostFields || entries.some((entry) => entry.key === key)) return null;
    const rest = textBehind(lines.line, key.length + 1);
    const value = rest === '' ? readBelow(lines) : readText(lines, rest, 0);
    if (value === null) return null;
    // Behind the key and its colon, up to the next field.
    entries.push({ key, value, offset, written: text.slice(offset + key.length + 1, lines.offset).trim(), comment: undefined });
  }
  return entries.length === 0 ? null : entries;
}

/** The key of a line that begins with one, a colon, and a space or nothing. Without a match of a pattern, whose parts a start would make a thousand times. */
function keyOf(line: string): string | null {
  const colon = line.indexOf(':');
  if (colon === -1 || (line.length > colon + 1 && line.charCodeAt(colon + 1) !== space)) return null;
  const key = line.slice(0, colon);
  return plainKey.test(key) ? key : null;
}

function isUsual(text: string): boolean {
  return !unusual.test(text) && text.isWellFormed();
}

/** The lines of a text, one at a time. */
class Lines {
  /** Where the line begins. */
  offset = 0;
  /** The spaces that it begins with. */
  indent = 0;
  atEnd = false;
  readonly #text: string;
  #line: string | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#goTo(0);
  }

  /** The line, without its end. */
  get line(): string {
    return (this.#line ??= this.atEnd ? '' : this.#text.slice(this.offset, this.#text.indexOf('\n', this.offset)));
  }

  get isEmpty(): boolean {
    return this.#text.charCodeAt(this.offset) === lineFeed;
  }

  next(): void {
    this.#goTo(this.offset + this.line.length + 1);
  }

  #goTo(offset: number): void {
    const text = this.#text;
    this.offset = offset;
    this.#line = undefined;
    this.atEnd = offset >= text.length;
    let indent = 0;
    while (text.charCodeAt(offset + indent) === space) indent += 1;
    this.indent = indent;
  }

  /** Goes to the next line that is not empty. Answers whether there is one. */
  skipEmpty(): boolean {
    while (this.isEmpty) this.#goTo(this.offset + 1);
    return !this.atEnd;
  }
}

/** The value of a key with nothing behind it: a map or list below, or none. Lines stand on the key, and then behind its value. */
function readBelow(lines: Lines): SkillFieldValue | null {
  lines.next();
  if (!lines.skipEmpty()) return '';
  const { indent } = lines;
  if (lines.line.charCodeAt(indent) === dash) return readList(lines, indent);
  return indent === 0 ? '' : readMap(lines, indent);
}

function readList(lines: Lines, indent: number): readonly string[] | null {
  const items: string[] = [];
  const mark = `${' '.repeat(indent)}- `;
  while (lines.line.startsWith(mark)) {
    const item = readLine(textBehind(lines.line, mark.length));
    if (item === null) return null;
    items.push(item);
    lines.next();
    lines.skipEmpty();
  }
  // Deeper or shallower lines are another shape, and so is a dash without a text.
  return lines.indent > 0 || lines.line.startsWith('-') || items.length === 0 ? null : items;
}

function readMap(lines: Lines, indent: number): Readonly<Record<string, string>> | null {
  const map = Object.create(null) as Record<string, string>;
  while (!lines.atEnd && lines.indent === indent) {
    const key = keyOf(lines.line.slice(indent));
    if (key === null || key in map) return null;
    const rest = textBehind(lines.line, indent + key.length + 1);
    const value = rest === '' ? readNothing(lines, indent) : readText(lines, rest, indent);
    if (value === null) return null;
    map[key] = value;
    lines.skipEmpty();
  }
  return lines.indent > 0 ? null : map;
}

/** A key inside a map that has no value. One that has a map or list of its own is another shape. */
function readNothing(lines: Lines, indent: number): '' | null {
  lines.next();
  lines.skipEmpty();
  return lines.indent > indent || lines.line.charCodeAt(lines.indent) === dash ? null : '';
}

/** A text that begins on this line and may go on below it. Lines stand behind it then. */
function readText(lines: Lines, first: string, indent: number): string | null {
  const mark = first.charCodeAt(0);
  if (mark === bar || mark === greater) return readBlock(lines, first, indent);
  const value = readLine(first);
  lines.next();
  if (value === null || lines.atEnd || lines.indent <= indent) return value;
  // Only a plain text goes on.
  return plainStart.test(first) ? readFurther(lines, value, indent) : null;
}

/** A text on one line. */
function readLine(text: string): string | null {
  const mark = text.charCodeAt(0);
  if (mark === doubleQuote) return readDoubleQuoted(text);
  if (mark === singleQuote) return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : null;
  return plainStart.test(text) && !endsPlain(text) && text.trim() === text ? text : null;
}

/** Whether something in it ends a plain text, or makes it something else. */
function endsPlain(text: string): boolean {
  // By one character first: few texts have them at all, and blanks, which the second pair begins with, are everywhere.
  return (text.includes(':') && (text.includes(': ') || text.endsWith(':'))) || (text.includes('#') && text.includes(' #'));
}

function readDoubleQuoted(text: string): string | null {
  if (!text.includes('\\')) return text.length > 1 && text.indexOf('"', 1) === text.length - 1 ? text.slice(1, -1) : null;
  if (!/^"(?:[^"\\]|\\["\\/nt])*"$/.test(text)) return null;
  return text.slice(1, -1).replace(/\\./g, (escape) => escapes[escape] ?? escape);
}

/** The further lines of a plain text, folded. */
function readFurther(lines: Lines, first: string, indent: number): string | null {
  let value = first;
  while (!lines.atEnd && lines.line !== '' && lines.indent > indent) {
    const line = textBehind(lines.line, lines.indent);
    if (line === '' || !/^["'(]|^[^\s?:,[\]{}#&*!|>%@`-]/.test(line) || endsPlain(line)) return null;
    value += ` ${line}`;
    lines.next();
  }
  // Behind an empty line it may go on.
  return lines.skipEmpty() && lines.indent > indent ? null : value;
}

/** A block text: literal or folded, with one line end at its end or none. */
function readBlock(lines: Lines, header: string, parentIndent: number): string | null {
  if (!/^[|>]-?$/.test(header)) return null;
  lines.next();
  const { indent } = lines;
  if (lines.line === '' || indent <= parentIndent || indent === lines.line.length) return null;
  const isFolded = header.startsWith('>');
  let value = '';
  let empty = 0;
  let isDeeper = false;
  for (; !lines.atEnd; lines.next()) {
    if (lines.line === '') {
      empty += 1;
      continue;
    }
    if (lines.indent < indent) break;
    const line = lines.line.slice(indent);
    // Lines of nothing but blanks are read in several ways.
    if (textBehind(line, 0) === '') return null;
    const wasDeeper = isDeeper;
    isDeeper = line.startsWith(' ');
    // Lines that lie deeper are not folded.
    const isJoined = isFolded && !isDeeper && !wasDeeper;
    if (value !== '') value += isJoined && empty === 0 ? ' ' : '\n'.repeat(isJoined ? empty : empty + 1);
    value += line;
    empty = 0;
  }
  // Shallower, but not as shallow as what the text belongs to.
  if (!lines.atEnd && lines.indent > parentIndent) return null;
  return header.endsWith('-') ? value : `${value}\n`;
}

/** What stands behind a position, without the spaces around it, and only those: other white space belongs to the text. */
function textBehind(line: string, position: number): string {
  let start = position;
  let end = line.length;
  while (start < end && line.charCodeAt(start) === space) start += 1;
  while (end > start && line.charCodeAt(end - 1) === space) end -= 1;
  return line.slice(start, end);
}
