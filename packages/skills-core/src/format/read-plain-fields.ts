import type { SkillFieldValue } from '../contract/skill-provider.ts';
import type { YamlEntry } from './parse-yaml.ts';

/** What YAML gives a meaning to, wherever it stands; and what is no text. */
const unusual = /[\t\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029\uFEFF]|: |:$|:\n| #/;

/**
 * One line: spaces, then `key: value`, `key:` or `- value`. A value is in quotes without escapes, or starts with a letter, a digit, or a sign that
 * means nothing to YAML.
 */
const line = /( *)(?:([A-Za-z_][A-Za-z0-9_.-]*):|-)(?: +(?:"([^"\\\n]*)"|'([^'\n]*)'|([\p{L}\p{N}(_/.~$+][^\n]*)))? *(?:\n|$)/uy;

/** The line before a block text, and one line of its text. */
const blockHeader = /([A-Za-z_][A-Za-z0-9_.-]*): +([>|])(-?)\n/y;
const blockLine =
  /( +)([^\s\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF](?:[^\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF]*[^\s\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF])?)(?:\n|$)/y;

/**
 * Reads frontmatter of the plainest kind without a YAML parser, in a tenth of the time: top-level fields of one line, block texts (`>-`, `|`) of even
 * indentation, and maps and lists of one-line values one level below. Nearly all real frontmatter is, and ten thousand of them may be read at a start.
 *
 * @returns the same as the parser, or `null` for everything that is not certainly plain
 */
export function readPlainFields(text: string, typedKeys: ReadonlySet<string>): YamlEntry[] | null {
  const entries: YamlEntry[] = [];
  const seen = new Set<string>();
  for (let position = 0; position < text.length;) {
    const offset = position;
    const field = readBlockText(text, position) ?? readLine(text, position);
    if (field === null || field.indent !== 0 || field.key === undefined || seen.has(field.key) || typedKeys.has(field.key)) return null;
    seen.add(field.key);
    position = field.end;
    let value: SkillFieldValue | undefined = field.value;
    if (value === undefined) {
      const block = readBlock(text, position);
      if (block === null) return null;
      value = block.value;
      position = block.end;
    }
    entries.push({
      key: field.key,
      value,
      offset,
      written: text.slice(offset + field.key.length + 1, position).trim(),
      comment: undefined,
    });
  }
  return entries.length === 0 ? null : entries;
}

interface Line {
  readonly indent: number;
  /** None for an item of a list. */
  readonly key: string | undefined;
  readonly value: string | undefined;
  readonly end: number;
}

function readLine(text: string, position: number): Line | null {
  line.lastIndex = position;
  const match = line.exec(text);
  if (match === null) return null;
  const [, spaces = '', key, doubleQuoted, singleQuoted, unquoted] = match;
  const plain = unquoted === undefined ? undefined : withoutSpacesAtEnd(unquoted);
  if (plain !== undefined && unusual.test(plain)) return null;
  const value = doubleQuoted ?? singleQuoted ?? plain;
  if (plain === undefined && value !== undefined && /[\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF]/.test(value)) return null;
  return { indent: spaces.length, key, value, end: line.lastIndex };
}

/** A text over several lines, all with the same indentation and none of them empty: `>` joins them with spaces, `|` keeps them. */
function readBlockText(text: string, position: number): Line | null {
  blockHeader.lastIndex = position;
  const header = blockHeader.exec(text);
  if (header === null) return null;
  const [, key, style, strip] = header;
  const lines: string[] = [];
  let end = blockHeader.lastIndex;
  let indent: string | undefined;
  for (blockLine.lastIndex = end; end < text.length && text[end] === ' '; end = blockLine.lastIndex) {
    const match = blockLine.exec(text);
    if (match === null || (indent ?? match[1]) !== match[1]) return null;
    indent = match[1];
    lines.push(match[2] as string);
  }
  // A text without an end of line keeps none, whatever the header says.
  if (lines.length === 0 || text[end - 1] !== '\n') return null;
  return { indent: 0, key, value: lines.join(style === '>' ? ' ' : '\n') + (strip === '-' ? '' : '\n'), end };
}

/** Not by a pattern, which would look at each run of spaces as often as it has spaces. */
function withoutSpacesAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

function readBlock(text: string, start: number): { value: SkillFieldValue; end: number } | null {
  const first = readLine(text, start);
  if (first === null || first.value === undefined || (first.key !== undefined && first.indent === 0)) return null;
  const items: string[] = [];
  const map = Object.create(null) as Record<string, string>;
  let end = start;
  // A block ends where a field of the top level begins, which only a list may share its indentation with.
  while (end < text.length && (text[end] === ' ' || (first.key === undefined && text[end] === '-'))) {
    const next = readLine(text, end);
    if (next === null) return null;
    if (next.indent !== first.indent || next.value === undefined || (next.key === undefined) !== (first.key === undefined)) return null;
    if (next.key === undefined) items.push(next.value);
    else if (next.key in map) return null;
    else map[next.key] = next.value;
    end = next.end;
  }
  return { value: first.key === undefined ? items : map, end };
}
