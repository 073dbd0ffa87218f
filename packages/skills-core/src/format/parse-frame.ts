import type { SkillFieldValue, SkillMetadata } from '../contract/skill-provider.ts';
import { decodeSkillMd, isLarger, normalizeLineEnds } from './decode-skill-md.ts';
import { createDiagnosticLog, quote, type DiagnosticLog } from './diagnostic-log.ts';
import type { ParsedSkillFrontmatter, ParsedSkillMd, ParseSkillMdOptions } from './parsed-skill-md.ts';
import { readMetadata } from './read-metadata.ts';
import { rescueFrontmatter, type RescuedFrontmatter } from './rescue-frontmatter.ts';
import { scanFrontmatter, type FrontmatterScan } from './scan-frontmatter.ts';
import type { YamlEntry } from './yaml-reading.ts';

/** Reads fields: `null` if unusable, `undefined` if this reader cannot tell. */
export type FieldsReader = (yaml: string, log: DiagnosticLog) => readonly YamlEntry[] | null | undefined;

const defaultMaxBytes = 2 * 1024 * 1024;
/** Six times the longest frontmatter among 1,001 published skills. */
const defaultMaxFrontmatterBytes = 16 * 1024;
const cutCharacterBytes = 4;

/** Level 1 with the fields that it was made of. */
export interface LevelOne extends Pick<ParsedSkillFrontmatter, 'metadata' | 'diagnostics'> {
  readonly entries: readonly YamlEntry[];
}

/** What most files have: neither `steps` nor `hooks`. */
const nothingTyped: Readonly<Record<string, unknown>> = /* @__PURE__ */ Object.create(null) as Record<string, unknown>;

/** A whole SKILL.md, all but its fields. `undefined` where the reader of the fields cannot tell. */
export function parseWholeWith(
  readFields: FieldsReader,
  content: string | Uint8Array,
  options: ParseSkillMdOptions,
): ParsedSkillMd | undefined {
  const log = createDiagnosticLog(options.profile ?? 'lenient');
  const text = isTooLarge(content, options, log) ? null : decodeSkillMd(content, log);
  if (text === null) return { ...withFields(failed(log, options)), body: '' };
  const scan = rescued(text, scanFrontmatter(text), log);
  const levelOne = readFrontmatter(text, scan, options, log, readFields);
  if (levelOne === undefined) return undefined;
  return { ...withFields(levelOne), body: normalizeLineEnds(scan.status === 'complete' ? text.slice(scan.end) : text).trim() };
}

/** Level 1 of a SKILL.md but its fields. `undefined` where the reader cannot tell. */
export function parseLevelOneWith(
  readFields: FieldsReader,
  content: string | Uint8Array,
  options: ParseSkillMdOptions,
): LevelOne | undefined {
  const log = createDiagnosticLog(options.profile ?? 'lenient');
  if (isTooLarge(content, options, log)) return failed(log, options);
  const scan = scanFrontmatter(content);
  const head =
    typeof content === 'string'
      ? content.slice(0, scan.status === 'complete' ? scan.end : undefined)
      : scan.status === 'complete'
        ? content.subarray(0, scan.end)
        : wholeCharacters(content);
  const text = decodeSkillMd(head, log);
  if (text === null) return failed(log, options);
  // As many units as bytes: it is all ASCII, and every offset is the same.
  return readFrontmatter(text, rescued(text, text.length === head.length ? scan : scanFrontmatter(text), log), options, log, readFields);
}

/** The scan, or that of a frontmatter that `lenient` reads all the same, which is reported. */
function rescued(text: string, scan: FrontmatterScan, log: DiagnosticLog): FrontmatterScan {
  const found = scan.status === 'complete' || log.profile === 'strict' ? null : rescueFrontmatter(text, scan.status);
  if (found === null) return scan;
  const [message, fix] = rescueTexts[found.code](found.line);
  log.report({ code: found.code, message, fix, line: found.line });
  return found.scan;
}

const rescueTexts: Readonly<Record<RescuedFrontmatter['code'], (line: number) => readonly [message: string, fix: string]>> = {
  'frontmatter-comment-before': (line) => [
    `A comment stands before the frontmatter, which starts in line ${line}; other readers find none.`,
    'Move the comment below the frontmatter.',
  ],
  'frontmatter-bare': () => [
    'The fields stand at the top without a line "---" above them; they were read as the frontmatter.',
    'Put a line "---" above the first field and another below the last.',
  ],
  'frontmatter-end-guessed': (line) => [
    `The frontmatter is never closed by a line "---"; it was taken to end at line ${line}.`,
    'Put a line "---", not indented, below its last field.',
  ],
};

function isTooLarge(content: string | Uint8Array, { maxBytes = defaultMaxBytes }: ParseSkillMdOptions, log: DiagnosticLog): boolean {
  if (!isLarger(content, maxBytes)) return false;
  log.report({
    code: 'file-too-large',
    message: `The file is larger than ${maxBytes} bytes.`,
    fix: 'Move parts of it into files beside it, or raise maxBytes.',
  });
  return true;
}

function readFrontmatter(
  text: string,
  scan: FrontmatterScan,
  options: ParseSkillMdOptions,
  log: DiagnosticLog,
  readFields: FieldsReader,
): LevelOne | undefined {
  if (scan.status === 'none') {
    log.report({
      code: 'frontmatter-missing',
      message: `The file must start with YAML frontmatter, but its first line is ${quote(firstLineOf(text))}.`,
      fix: 'Put a line "---", the fields name and description, and another line "---" at the very top.',
    });
    return failed(log, options);
  }
  if (scan.line > 1 && !log.has('frontmatter-comment-before') && !log.has('frontmatter-bare')) reportBlankLines(scan.line, log);
  const { maxFrontmatterBytes = defaultMaxFrontmatterBytes } = options;
  if (scan.status === 'unclosed') {
    reportUnclosed(text, scan.line, maxFrontmatterBytes, log);
    return failed(log, options);
  }
  const written = text.slice(scan.yamlStart, scan.yamlEnd);
  if (isLarger(written, maxFrontmatterBytes)) {
    reportTooLarge(scan.line, maxFrontmatterBytes, log);
    return failed(log, options);
  }
  const yaml = normalizeLineEnds(written);
  log.locate(yaml, scan.line + 1);
  const entries = readFields(yaml, log);
  if (entries === undefined) return undefined;
  const metadata = entries === null ? null : readMetadata(entries, options.directoryName, log);
  return finish(entries ?? [], metadata, log, options);
}

function reportBlankLines(line: number, log: DiagnosticLog): void {
  log.report({
    code: 'frontmatter-blank-lines',
    message: `There are blank lines before the opening "---" in line ${line}.`,
    fix: 'Remove them.',
  });
}

function reportTooLarge(line: number, maxFrontmatterBytes: number, log: DiagnosticLog): void {
  log.report({
    code: 'frontmatter-too-large',
    message: `The frontmatter does not end within ${maxFrontmatterBytes} bytes.`,
    fix: 'Close it with a line "---", move what is long into the body or into files beside it, or raise the limit.',
    line,
  });
}

function reportUnclosed(text: string, line: number, maxFrontmatterBytes: number, log: DiagnosticLog): void {
  const lines = text.split(/\r\n|\n|\r/);
  const near = lines.findIndex((candidate, index) => index >= line && /^(?:\s+---|\.\.\.)\s*$/.test(candidate));
  // A source reads only as much as a frontmatter may have, so a later end cannot be seen.
  if (near === -1 && isLarger(text, maxFrontmatterBytes - cutCharacterBytes)) return reportTooLarge(line, maxFrontmatterBytes, log);
  const hint = near === -1 ? '' : ` Line ${near + 1}, ${quote(lines[near])}, does not end it.`;
  log.report({
    code: 'frontmatter-unclosed',
    message: `The frontmatter that starts in line ${line} is never closed.${hint}`,
    fix: 'Put a line "---", not indented, below its last field.',
    line,
  });
}

function finish(entries: readonly YamlEntry[], metadata: SkillMetadata | null, log: DiagnosticLog, options: ParseSkillMdOptions): LevelOne {
  const name = metadata?.name ?? nameIn(entries) ?? options.directoryName;
  return { metadata: log.hasErrors() ? null : metadata, diagnostics: log.diagnostics(name, options.path), entries };
}

/** The name that a frontmatter gives, though no skill can be made of it. */
function nameIn(entries: readonly YamlEntry[]): string | undefined {
  const name = entries.find(({ key }) => key === 'name')?.value;
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}

/** The same with all fields by their keys, for whoever wants to see them. */
export function withFields({ metadata, diagnostics, entries }: LevelOne): ParsedSkillFrontmatter {
  const frontmatter = Object.create(null) as Record<string, SkillFieldValue>;
  let typed: Record<string, unknown> | undefined;
  for (const { key, value, typed: typedValue } of entries) {
    frontmatter[key] = value;
    if (typedValue === undefined) continue;
    typed ??= Object.create(null) as Record<string, unknown>;
    typed[key] = typedValue;
  }
  return { metadata, frontmatter, typed: typed ?? nothingTyped, diagnostics };
}

function failed(log: DiagnosticLog, options: ParseSkillMdOptions): LevelOne {
  return finish([], null, log, options);
}

/** The bytes without a character that is cut in two at their end, which is no fault of the file. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 3 && ((bytes[end - 1] as number) & 0xc0) === 0x80) end -= 1;
  return end > 0 && (bytes[end - 1] as number) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}

function firstLineOf(text: string): string {
  return /^[^\r\n]*/.exec(text)?.[0] ?? '';
}
