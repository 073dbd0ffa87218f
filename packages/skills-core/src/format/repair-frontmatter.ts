import { parseYaml } from './parse-yaml.ts';
import { readPlainFields } from './read-plain-fields.ts';
import type { YamlEntry, YamlIssue, YamlReading } from './yaml-reading.ts';

interface Chunk {
  readonly key: string;
  readonly offset: number;
  text: string;
}

const keyLine = /^(?:"([^"\n]+)"|'([^'\n]+)'|([\p{L}_$@][\p{L}\p{N}_.$@/-]*))[ \t]*:(?=[ \t]|$)/u;
const conflictMarker = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/;
const blockHeader = /^[|>][-+0-9]{0,2}(?:[ \t]+#.*)?$/;

/**
 * Reads frontmatter that is not valid YAML as a whole: splits it where a line starts with `key:`,
 * parses each piece alone, and takes the value of a piece that still fails as plain text. So one
 * unquoted `: ` costs no other field. Nothing is invented: each value is what is written.
 *
 * Client guide, "Handling malformed YAML".
 *
 * @param whole what reading the text as a whole gave
 */
export function repairFrontmatter(text: string, typedKeys: ReadonlySet<string>, whole: YamlReading): YamlReading {
  return repair(text, typedKeys, whole);
}

/** `whole` is there at the top level only, which is also where pieces of pieces are looked at. */
function repair(text: string, typedKeys: ReadonlySet<string>, whole?: YamlReading): YamlReading {
  const issues: YamlIssue[] = [];
  const entries: YamlEntry[] = [];
  const seen = new Set<string>();
  for (const chunk of chunksOf(text, issues)) {
    if (seen.has(chunk.key)) {
      issues.push({ code: 'duplicate-key', offset: chunk.offset, detail: chunk.key });
      continue;
    }
    seen.add(chunk.key);
    // Where the piece is the whole, or all that was read of it, it is known to fail.
    const isKnown = whole !== undefined && chunk.offset === (whole.readFrom ?? 0) && chunk.offset + chunk.text.length === text.length;
    const plain = isKnown ? null : readPlainFields(chunk.text, typedKeys, true);
    const reading = isKnown ? whole : (plain ?? parseYaml(chunk.text, typedKeys));
    const [entry] = reading.entries;
    if (reading.status === 'mapping' && entry !== undefined && reading.entries.length === 1) {
      entries.push({ ...entry, offset: chunk.offset });
      issues.push(...reading.issues.map((issue) => ({ ...issue, offset: issue.offset + chunk.offset })));
      continue;
    }
    const nested = whole !== undefined && chunk.key === 'metadata' ? repairNested(chunk, typedKeys) : undefined;
    if (nested !== undefined) {
      entries.push(nested.entry);
      issues.push(...nested.issues);
      continue;
    }
    const value = plainText(chunk);
    entries.push({ key: chunk.key, value, offset: chunk.offset, written: value, ...(typedKeys.has(chunk.key) ? { typed: value } : {}) });
    issues.push({ code: 'yaml-repaired', offset: chunk.offset, key: chunk.key, detail: reading.issues[0]?.detail ?? 'it is no value' });
  }
  return { status: entries.length > 0 ? 'mapping' : 'invalid', entries, issues };
}

/** One bad line of `metadata` should not turn the whole map into text. */
function repairNested(chunk: Chunk, typedKeys: ReadonlySet<string>): { entry: YamlEntry; issues: YamlIssue[] } | undefined {
  const firstLineEnd = chunk.text.indexOf('\n');
  // recheck: a key that opens a map is short, so that only 200 characters are looked at.
  if (firstLineEnd === -1 || firstLineEnd > 200 || !/:[ \t]*(?:#.*)?$/.test(chunk.text.slice(0, firstLineEnd))) return undefined;
  const lines = chunk.text.slice(firstLineEnd + 1).split('\n');
  const indent = /^ +(?=\S)/.exec(lines.find((line) => line.trim() !== '') ?? '')?.[0];
  if (indent === undefined) return undefined;
  const reading = repair(lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join('\n'), typedKeys);
  if (reading.status !== 'mapping') return undefined;
  const value = Object.create(null) as Record<string, YamlEntry['value']>;
  for (const entry of reading.entries) value[entry.key] = entry.value;
  // Offsets inside the dedented text mean nothing outside it: the line of the field is told.
  const issues = reading.issues.map((issue) => ({ ...issue, offset: chunk.offset }));
  return { entry: { key: chunk.key, value, offset: chunk.offset, written: chunk.text.slice(firstLineEnd + 1) }, issues };
}

function chunksOf(text: string, issues: YamlIssue[]): Chunk[] {
  const chunks: Chunk[] = [];
  let inConflict = false;
  let offset = 0;
  for (const line of text.split('\n')) {
    const match = keyLine.exec(line);
    if (conflictMarker.test(line)) {
      if (!inConflict) issues.push({ code: 'merge-conflict', offset, detail: line });
      inConflict = !line.startsWith('>');
    } else if (match !== null) {
      chunks.push({ key: match[1] ?? match[2] ?? match[3] ?? '', offset, text: line });
    } else if (chunks.length > 0) {
      (chunks.at(-1) as Chunk).text += `\n${line}`;
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      issues.push({ code: 'yaml-text-ignored', offset, detail: line });
    }
    offset += line.length + 1;
  }
  return chunks;
}

/** The value as its author most likely meant it: folded, without unclosed quotes. */
function plainText(chunk: Chunk): string {
  const [first = '', ...rest] = chunk.text.split('\n').filter((line, index) => index === 0 || !line.startsWith('#'));
  const start = first.replace(keyLine, '').trim();
  const lines = rest.map((line) => line.trim());
  if (blockHeader.test(start)) return (start.startsWith('|') ? lines.join('\n') : fold(lines)).trim();
  return unquote(fold([start, ...lines]).trim());
}

function fold(lines: readonly string[]): string {
  let text = '';
  let blank = 0;
  for (const line of lines) {
    if (line === '') {
      blank += 1;
      continue;
    }
    text += text === '' ? line : blank > 0 ? '\n'.repeat(blank) + line : ` ${line}`;
    blank = 0;
  }
  return text;
}

function unquote(text: string): string {
  if (text.length >= 2 && text.startsWith('"') && text.endsWith('"')) return text.slice(1, -1).replace(/\\(["\\])/g, '$1');
  if (text.length >= 2 && text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  return text;
}
