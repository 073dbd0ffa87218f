import type { SkillFieldValue } from '../contract/skill-provider.ts';
import { PlainLines } from './plain-lines.ts';
import { whyBroken } from './read-broken-text.ts';
import { readPlainFlow } from './read-plain-flow.ts';
import { isOrdinary, readBlockText, readPlainText, readScalar, textBehind } from './read-plain-scalar.ts';
import type { YamlEntry, YamlIssue, YamlReading } from './yaml-reading.ts';

/** Keys that mean the same wherever they stand; any other is left to the parser. */
const plainKey = /^[A-Za-z_][\w.-]{0,99}$/;

const space = 0x20;
const dash = 0x2d;
const openBracket = 0x5b;
const openBrace = 0x7b;
const bar = 0x7c;
const greater = 0x3e;

const mostFields = 32;
const mostLevels = 16;

/** What is not ASCII. Most texts have none, and one look is enough to tell. */
const notPlain = /[^\n\x20-\x7E]/;

/**
 * Control and format characters that YAML, or its readers, treat each in their own way. Line ends
 * are `\n` alone.
 */
// eslint-disable-next-line no-control-regex
const unusual = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/;

/** The head of a block text with all line ends at its end. */
const keepsEnds = /[|>][1-9]?\+ *\n/;

/** Where a block text may begin, whose last line end matters. */
const blockMark = /[|>]/;

/** A text behind a node property, or an alias. The author most likely meant text. */
const marked = /^(?:([&!]\w+) +([A-Za-z].*)|\*\w+)$/;

interface Reader {
  readonly lines: PlainLines;
  readonly issues: YamlIssue[];
  /** What the parser reports behind all of these. */
  readonly late: YamlIssue[];
  level: number;
}

/**
 * Reads frontmatter of the shapes that people write, without a YAML parser: fields with plain,
 * quoted or block texts, maps and lists of them, and lists and maps in brackets. Ten thousand may
 * be read at a start, and a process that meets no other need not load the parser. When unsure, it
 * returns `null`. It takes time that is linear in the length of the text, whatever that is made of.
 *
 * @param text the frontmatter, with `\n` line ends
 * @param repairs whether a text that no parser accepts without quotes, such as one with a colon in
 *   it, is read and reported as the repair of the `lenient` profile does
 * @returns the same as the parser, or `null` for every other shape, and for other errors
 */
export function readPlainFields(text: string, typedKeys: ReadonlySet<string>, repairs = false): YamlReading | null {
  const start = readPlainStart(text, typedKeys, repairs);
  if (start === null || start.end < text.length) return null;
  const { entries, issues, late, hasComment } = start;
  if (issues.length === 0 && late.length === 0) return { status: 'mapping', entries, issues };
  // The repair works field by field, so what spans fields differs.
  const isRepaired = repairs && issues.some(({ code }) => code === 'yaml-repaired');
  const isOther =
    isRepaired && (hasComment || late.length > 0 || keepsEnds.test(text) || issues.some(({ code }) => code === 'duplicate-key'));
  return isOther ? null : { status: 'mapping', entries, issues: [...issues, ...late] };
}

/** The plain fields at the start of a frontmatter. */
export interface PlainStart extends Pick<YamlReading, 'entries' | 'issues'> {
  /** Where the first field begins that is not plain; at least the length if there is none. */
  readonly end: number;
  /** Issues that the parser reports behind those of the whole frontmatter. */
  readonly late: readonly YamlIssue[];
  /** Whether a comment stands between them. */
  readonly hasComment: boolean;
}

/** Reads up to the first field that needs a parser; `null` if that is the first of all. */
export function readPlainStart(text: string, typedKeys: ReadonlySet<string>, repairs = false): PlainStart | null {
  const isOpen = !text.endsWith('\n');
  if ((isOpen && blockMark.test(text)) || (notPlain.test(text) && !isUsual(text))) return null;
  // A piece of a frontmatter ends without one.
  const lines = new PlainLines(isOpen ? `${text}\n` : text);
  const reader: Reader = { lines, issues: [], late: [], level: 0 };
  const entries: YamlEntry[] = [];
  let end = text.length;
  lines.skipEmpty();
  for (let fields = 0; !lines.atEnd; fields += 1) {
    const { offset } = lines;
    const known = reader.issues.length;
    const entry = fields === mostFields ? null : readField(reader, typedKeys, repairs);
    if (entry === null) {
      end = offset;
      reader.issues.splice(known);
      break;
    }
    if (!hasKey(entries, entry.key)) entries.push(entry);
    else reader.issues.push({ code: 'duplicate-key', offset, detail: entry.key });
  }
  const { issues } = reader;
  // Nothing was meant as text that is there twice: of the second, nothing is kept.
  const late = reader.late.filter(({ offset }) => entries.some((entry) => entry.offset === offset));
  return entries.length === 0 ? null : { entries, issues, late, end, hasComment: lines.hasComment };
}

function hasKey(entries: readonly YamlEntry[], key: string): boolean {
  for (const entry of entries) if (entry.key === key) return true;
  return false;
}

/** Reads a field, and goes to the next one. */
function readField(reader: Reader, typedKeys: ReadonlySet<string>, repairs: boolean): YamlEntry | null {
  const { lines } = reader;
  const { offset, line } = lines;
  const key = keyOf(line);
  if (key === null || typedKeys.has(key)) return null;
  const text = textBehind(line, key.length + 1);
  const value = lines.isNextIndented ? undefined : withoutComment(text);
  if (value !== undefined && isOrdinary(value)) {
    const comment = value === text ? undefined : line.slice(line.indexOf(' #', key.length) + 1);
    lines.hasComment ||= comment !== undefined;
    lines.next();
    lines.skipEmpty();
    return lines.commentIndent > 0 ? null : { key, value, offset, written: value, comment };
  }
  return readOther(reader, key, text, repairs);
}

/** What is not one plain text on one line. */
function readOther(reader: Reader, key: string, text: string, repairs: boolean): YamlEntry | null {
  const { lines, issues } = reader;
  const { offset } = lines;
  const detail = repairs ? whyBroken(text) : undefined;
  if (detail !== undefined) {
    lines.next();
    lines.skipEmpty();
    issues.push({ code: 'yaml-repaired', offset, key, detail });
    return { key, value: text, offset, written: text };
  }
  const value = readMarked(reader, text) ?? readValue(reader, key.length + 1, 0);
  lines.skipEmpty();
  // To the parser, an indented comment belongs to the value.
  if (value === null || lines.commentIndent > 0) return null;
  // Behind the key and its colon, up to the end of what belongs to it.
  return { key, value, offset, written: lines.text.slice(offset + key.length + 1, lines.contentEnd).trim(), comment: undefined };
}

function withoutComment(text: string): string {
  // By one character first, as in most texts there is none.
  const end = text.includes('#') ? text.indexOf(' #') : -1;
  return end === -1 ? text : textBehind(text.slice(0, end), 0);
}

/** A text with an anchor, tag or alias that nothing repeats: kept as written, and reported. */
function readMarked({ lines, issues, late }: Reader, written: string): string | null {
  const parts = marked.exec(written);
  if (parts === null) return null;
  const [, mark, text = ''] = parts;
  const { offset } = lines;
  const at = lines.text.indexOf(written, offset + lines.line.indexOf(':') + 1);
  if (mark === undefined) {
    if (lines.text.includes('&')) return null;
    issues.push({ code: 'yaml-unresolved-alias', offset: at, detail: written });
  } else {
    if (lines.text.includes('*') || readScalar(text) === null) return null;
    const code = mark.startsWith('&') ? 'yaml-anchor' : 'yaml-tag';
    issues.push({ code, offset: at + written.length - text.length, detail: mark, harmless: true });
    late.push({ code, offset, detail: written });
  }
  lines.next();
  return written;
}

/** The key of a line. Without patterns, whose results a start would allocate a thousand times. */
function keyOf(line: string): string | null {
  const colon = line.indexOf(':');
  if (colon === -1 || (line.length > colon + 1 && line.charCodeAt(colon + 1) !== space)) return null;
  const key = line.slice(0, colon);
  return plainKey.test(key) ? key : null;
}

function isUsual(text: string): boolean {
  return !unusual.test(text) && text.isWellFormed();
}

/** The value behind a key, on its line or below it. */
function readValue(reader: Reader, column: number, indent: number): SkillFieldValue | null {
  const { lines } = reader;
  const rest = textBehind(lines.line, column);
  if (rest !== '') return readInline(reader, rest, column, indent);
  lines.next();
  lines.skipEmpty();
  const { line, indent: inner } = lines;
  const isNothing = lines.atEnd || (isItem(line, inner) ? inner < indent : inner <= indent);
  if (!isNothing && isItem(line, inner)) return readList(reader, inner);
  if (!isNothing && keyOf(line.slice(inner)) !== null) return readMap(reader, inner);
  // A comment between a key and a text is read in several ways.
  if (lines.commentIndent !== -1) return null;
  return isNothing ? '' : readInline(reader, textBehind(line, inner), inner, indent);
}

/** What stands on this line, in brackets or as a text, and may go on below it. */
function readInline({ lines, issues }: Reader, rest: string, column: number, indent: number): SkillFieldValue | null {
  const mark = rest.charCodeAt(0);
  if (mark === bar || mark === greater) return readBlockText(lines, rest, indent);
  if (mark !== openBracket && mark !== openBrace) return readPlainText(lines, rest, indent);
  const flow = readPlainFlow(lines.text, lines.text.indexOf(rest.charAt(0), lines.offset + column), indent, issues);
  return flow !== null && lines.nextBehind(flow.end) ? flow.value : null;
}

function readList(reader: Reader, indent: number): readonly SkillFieldValue[] | null {
  const { lines } = reader;
  const list: SkillFieldValue[] = [];
  if (reader.level === mostLevels) return null;
  reader.level += 1;
  while (lines.indent === indent && isItem(lines.line, indent)) {
    const rest = textBehind(lines.line, indent + 1);
    const column = lines.line.indexOf(rest, indent + 1);
    // Without a text, or with a list of its own on the same line, it is another shape.
    if (rest === '' || isItem(rest, 0)) return null;
    const value = keyOf(lines.line.slice(column)) === null ? readInline(reader, rest, column, indent) : readMap(reader, column);
    if (value === null || (lines.skipEmpty() && lines.indent > indent)) return null;
    list.push(value);
  }
  reader.level -= 1;
  return list;
}

/** @param indent where its keys begin: the first may stand behind the dash of a list */
function readMap(reader: Reader, indent: number): Readonly<Record<string, SkillFieldValue>> | null {
  const { lines } = reader;
  const map = Object.create(null) as Record<string, SkillFieldValue>;
  if (reader.level === mostLevels) return null;
  reader.level += 1;
  do {
    const key = keyOf(lines.line.slice(indent));
    if (key === null || key in map) return null;
    const value = readValue(reader, indent + key.length + 1, indent);
    if (value === null || (lines.skipEmpty() && lines.indent > indent)) return null;
    map[key] = value;
  } while (!lines.atEnd && lines.indent === indent);
  reader.level -= 1;
  return map;
}

/** Whether an item of a list begins there. */
function isItem(line: string, column: number): boolean {
  if (line.charCodeAt(column) !== dash) return false;
  return line.length === column + 1 || line.charCodeAt(column + 1) === space;
}
