import type { PlainLines } from './plain-lines.ts';

const space = 0x20;
const doubleQuote = 0x22;
const singleQuote = 0x27;

/** What a plain text may begin with: nothing that YAML gives a meaning to. */
const plainStart = /^[^\s?:,[\]{}#&*!|>'"%@`-]/;

const escapes: Readonly<Record<string, string>> = { '\\"': '"', '\\\\': '\\', '\\/': '/', '\\n': '\n', '\\t': '\t' };

/** A text that may go on below. `null` where only a YAML parser can tell. */
export function readPlainText(lines: PlainLines, first: string, indent: number): string | null {
  const value = readScalar(first);
  lines.next();
  if (value === null || lines.atEnd || lines.indent <= indent) return value;
  // Only a plain text goes on.
  return plainStart.test(first) ? readFurther(lines, value, indent) : null;
}

/** No key that YAML takes for one may be as long. */
const mostKeyCharacters = 1_000;

/**
 * A text without quotes that has a colon and a space in it: a map inside a line to YAML, and an
 * error. It has to end on its line.
 *
 * @returns `null` where it is something else
 */
export function readTextWithColon(text: string): string | null {
  const colon = text.indexOf(': ');
  if (colon === -1 || colon > mostKeyCharacters || text.endsWith(':') || text.includes(' #') || text.trim() !== text) return null;
  return text.split(/: +/).every((part) => plainStart.test(part)) ? text : null;
}

/** Whether a text on one line certainly means itself, as most do. A start looks at thousands. */
export function isOrdinary(text: string): boolean {
  return isLetterOrDigit(text.charCodeAt(0)) && text.charCodeAt(text.length - 1) < 0x7f && !endsPlain(text);
}

/** A text on one line, which may be quoted. */
export function readScalar(text: string): string | null {
  const mark = text.charCodeAt(0);
  if (mark === doubleQuote) return readDoubleQuoted(text);
  if (mark === singleQuote) return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : null;
  return plainStart.test(text) && !endsPlain(text) && text.trim() === text ? text : null;
}

/** A block text, literal or folded. */
export function readBlockText(lines: PlainLines, header: string, parentIndent: number): string | null {
  const parts = /^([|>])([1-9]?)([+-]?)$/.exec(header);
  if (parts === null) return null;
  const [, style, digit, ending] = parts;
  lines.next();
  const indent = digit === '' ? lines.indent : parentIndent + Number(digit);
  if (lines.line === '' || indent <= parentIndent || lines.indent < indent || lines.indent === lines.line.length) return null;
  let value = '';
  let empty = 0;
  let isOddlyEmpty = false;
  let isDeeper = lines.indent > indent;
  for (let isFirst = true; !lines.atEnd; lines.next()) {
    if (lines.isBlank) {
      // Deeper blank lines are read in several ways at the end of a block.
      if (lines.indent > indent) return null;
      if (lines.indent > 0) isOddlyEmpty = true;
      empty += 1;
      continue;
    }
    if (lines.indent < indent) break;
    const line = lines.line.slice(indent);
    const wasDeeper = isDeeper;
    isDeeper = line.startsWith(' ');
    // Lines that lie deeper are not folded.
    const isJoined = style === '>' && !isDeeper && !wasDeeper;
    if (!isFirst) value += isJoined && empty === 0 ? ' ' : '\n'.repeat(isJoined ? empty : empty + 1);
    value += line;
    empty = 0;
    isOddlyEmpty = false;
    isFirst = false;
  }
  // Shallower, but not as shallow as what the text belongs to.
  if (isOddlyEmpty || (!lines.atEnd && lines.indent > parentIndent)) return null;
  return value + '\n'.repeat(ending === '-' ? 0 : ending === '+' ? empty + 1 : 1);
}

/** What stands behind a position, without spaces; other white space is text. */
export function textBehind(line: string, position: number): string {
  let start = position;
  let end = line.length;
  while (start < end && line.charCodeAt(start) === space) start += 1;
  while (end > start && line.charCodeAt(end - 1) === space) end -= 1;
  return line.slice(start, end);
}

function isLetterOrDigit(unit: number): boolean {
  const small = unit | 0x20;
  return (small >= 0x61 && small <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

/** Whether something in it ends a plain text, or makes it something else. */
function endsPlain(text: string): boolean {
  // By one character first: few texts have it.
  return (text.includes(':') && (text.includes(': ') || text.endsWith(':'))) || (text.includes('#') && text.includes(' #'));
}

function readDoubleQuoted(text: string): string | null {
  if (!text.includes('\\')) return text.length > 1 && text.indexOf('"', 1) === text.length - 1 ? text.slice(1, -1) : null;
  if (!/^"(?:[^"\\]|\\["\\/nt])*"$/.test(text)) return null;
  return text.slice(1, -1).replace(/\\./g, (escape) => escapes[escape] ?? escape);
}

/** The further lines of a plain text, folded. */
function readFurther(lines: PlainLines, first: string, indent: number): string | null {
  let value = first;
  while (!lines.atEnd && !lines.isBlank && lines.indent > indent) {
    const line = textBehind(lines.line, lines.indent);
    if (!/^["'(]|^[^\s?:,[\]{}#&*!|>%@`-]/.test(line) || endsPlain(line)) return null;
    value += ` ${line}`;
    lines.next();
  }
  // Behind an empty line it may go on.
  return lines.skipEmpty() && lines.indent > indent ? null : value;
}
