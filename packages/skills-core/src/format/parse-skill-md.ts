import type { SkillFieldValue, SkillMetadata } from '../contract/skill-provider.ts';
import { decodeSkillMd, isLarger, normalizeLineEnds } from './decode-skill-md.ts';
import { frontmatterCost } from './frontmatter-cost.ts';
import { createDiagnosticLog, quote, type DiagnosticLog, type SkillMdDiagnostic, type SkillMdProfile } from './diagnostic-log.ts';
import { parseYaml } from './parse-yaml.ts';
import type { YamlEntry, YamlIssue, YamlReading } from './yaml-reading.ts';
import { readMetadata } from './read-metadata.ts';
import { rescueFrontmatter, type RescuedFrontmatter } from './rescue-frontmatter.ts';
import { repairFrontmatter } from './repair-frontmatter.ts';
import { scanFrontmatter, type FrontmatterScan } from './scan-frontmatter.ts';

/** Options of {@link parseSkillMd} and {@link parseSkillFrontmatter}. */
export interface ParseSkillMdOptions {
  /** How to read. @default 'lenient' */
  readonly profile?: SkillMdProfile | undefined;
  /** Name of the folder, without its path: the name must be the same, and `lenient` takes it where there is none. @default not checked */
  readonly directoryName?: string | undefined;
  /** Path or URL of the file; it goes into diagnostics. @default none */
  readonly path?: string | undefined;
  /** The most bytes of frontmatter that are read. @default 16384 (16 KiB) */
  readonly maxFrontmatterBytes?: number | undefined;
  /** The most bytes of a whole file that are read. @default 2097152 (2 MiB) */
  readonly maxBytes?: number | undefined;
}

/** Level 1 of a SKILL.md: what {@link parseSkillFrontmatter} returns. */
export interface ParsedSkillFrontmatter {
  /** What is known of the skill. `null` exactly where there is a diagnostic of severity `error`. */
  readonly metadata: SkillMetadata | null;
  /** All fields by their keys as written; scalars as text. Without a prototype, as the keys are anybody's. */
  readonly frontmatter: Readonly<Record<string, SkillFieldValue>>;
  /** `steps` and `hooks` where they are there, with numbers, booleans and null as YAML's core schema types them. Without a prototype. */
  readonly typed: Readonly<Record<string, unknown>>;
  /** Everything that is not as it should be, in the order of the file. */
  readonly diagnostics: readonly SkillMdDiagnostic[];
}

/** A SKILL.md: what {@link parseSkillMd} returns. */
export interface ParsedSkillMd extends ParsedSkillFrontmatter {
  /** The Markdown below the frontmatter, trimmed, with `\n` line ends. The whole text where no frontmatter was found. */
  readonly body: string;
}

const defaultMaxBytes = 2 * 1024 * 1024;
/** Six times the longest front matter among 1,001 published skills. */
const defaultMaxFrontmatterBytes = 16 * 1024;
const typedKeys: ReadonlySet<string> = new Set(['steps', 'hooks']);

/**
 * Reads a SKILL.md. It throws for no content: whatever is wrong is a diagnostic with a code, a line, and what to change.
 *
 * **`lenient`** loads what is really out there: a byte order mark, blank lines or a comment before the frontmatter, one without its delimiters, values that are not valid YAML (each is
 * read as text, and the other fields as they are), names that are not the folder's or break the rules, a missing name (the folder's is used),
 * known fields in another spelling. It gives `null` only without a description, without any name, and for files that are no text or too large.
 *
 * **`strict`** gives the verdicts of the standard's reference validator: the same files have an error, unknown fields among them. It differs on
 * purpose where that validator is at odds with the specification, which speaks of YAML between two lines:
 *
 * - Delimiters are whole lines. The reference cuts at the first `---` anywhere, so that `description: a --- b` loses its end; here it is whole.
 *   In return, `---name: x` and a `---` at the end of a value open and close nothing.
 * - A byte order mark is a warning; the reference takes the file for one without frontmatter.
 * - Flow style (`[a, b]`, `{}`) is a warning, since it is valid YAML; the reference refuses it. Anchors, aliases and tags stay errors.
 * - `compatibility: ""` is a warning, as the reference lets it pass though the specification asks for 1 to 500 characters.
 * - Bytes that are not UTF-8, and NUL, are errors; the reference fails on them in other ways.
 *
 * Source: Agent Skills specification; client guide, "Parsing SKILL.md files"; the reference library's `validator`.
 *
 * @example
 * ```ts
 * import { parseSkillMd } from '@repertoire/skills-core/skill-md';
 *
 * const { metadata, body, diagnostics } = parseSkillMd('---\nname: haiku\ndescription: Writes haiku: five, seven, five.\n---\nCount twice.');
 * metadata?.description; // 'Writes haiku: five, seven, five.'
 * body; // 'Count twice.'
 * diagnostics.map(({ code, line }) => `${line} ${code}`); // ['3 yaml-repaired']
 * ```
 */
export function parseSkillMd(content: string | Uint8Array, options: ParseSkillMdOptions = {}): ParsedSkillMd {
  const log = createDiagnosticLog(options.profile ?? 'lenient');
  const text = isTooLarge(content, options, log) ? null : decodeSkillMd(content, log);
  if (text === null) return { ...failed(log, options), body: '' };
  const scan = rescued(text, scanFrontmatter(text), log);
  const levelOne = readFrontmatter(text, scan, options, log);
  return { ...levelOne, body: normalizeLineEnds(scan.status === 'complete' ? text.slice(scan.end) : text).trim() };
}

/**
 * Reads level 1 only. The content may be the first part of a file, as long as it holds the line that closes the frontmatter (see
 * {@link scanFrontmatter}); what follows is neither decoded nor looked at. It never throws.
 *
 * @example
 * ```ts
 * import { parseSkillFrontmatter } from '@repertoire/skills-core/skill-md';
 *
 * parseSkillFrontmatter('---\ndescription: Writes haiku.\n---\n', { directoryName: 'haiku' }).metadata; // { name: 'haiku', description: 'Writes haiku.' }
 * ```
 */
export function parseSkillFrontmatter(content: string | Uint8Array, options: ParseSkillMdOptions = {}): ParsedSkillFrontmatter {
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
  return readFrontmatter(text, rescued(text, text.length === head.length ? scan : scanFrontmatter(text), log), options, log);
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

function readFrontmatter(text: string, scan: FrontmatterScan, options: ParseSkillMdOptions, log: DiagnosticLog): ParsedSkillFrontmatter {
  if (scan.status === 'none') {
    log.report({
      code: 'frontmatter-missing',
      message: `The file must start with YAML frontmatter, but its first line is ${quote(firstLineOf(text))}.`,
      fix: 'Put a line "---", the fields name and description, and another line "---" at the very top.',
    });
    return failed(log, options);
  }
  if (scan.line > 1 && !log.has('frontmatter-comment-before') && !log.has('frontmatter-bare')) reportBlankLines(scan.line, log);
  if (scan.status === 'unclosed') {
    reportUnclosed(text, scan.line, log);
    return failed(log, options);
  }
  const written = text.slice(scan.yamlStart, scan.yamlEnd);
  const { maxFrontmatterBytes = defaultMaxFrontmatterBytes } = options;
  if (isLarger(written, maxFrontmatterBytes)) {
    log.report({
      code: 'frontmatter-too-large',
      message: `The frontmatter is larger than ${maxFrontmatterBytes} bytes.`,
      fix: 'Move what is long into the body or into files beside it, or raise maxFrontmatterBytes.',
      line: scan.line,
    });
    return failed(log, options);
  }
  const yaml = normalizeLineEnds(written);
  log.locate(yaml, scan.line + 1);
  const cost = frontmatterCost(yaml);
  if (cost !== undefined) {
    log.report({
      code: 'frontmatter-too-complex',
      message: `The frontmatter is not read, because parsing it could take very long: ${cost}.`,
      fix: 'Write it as plain fields, one a line, and move the rest into the body.',
      offset: 0,
    });
    return failed(log, options);
  }
  const entries = readYaml(yaml, log);
  const metadata = entries === null ? null : readMetadata(entries, options.directoryName, log);
  return finish(entries ?? [], metadata, log, options);
}

/** The fields; `null` where the YAML as a whole cannot be used, which is reported. */
function readYaml(yaml: string, log: DiagnosticLog): readonly YamlEntry[] | null {
  const whole = parseYaml(yaml, typedKeys);
  if (whole.status === 'not-mapping') {
    log.report({
      code: 'frontmatter-not-mapping',
      message: 'The frontmatter is YAML, but no map of fields.',
      fix: 'Write fields such as "name: my-skill", one a line.',
      offset: 0,
    });
    return null;
  }
  const reading: YamlReading = whole.status === 'invalid' && log.profile === 'lenient' ? repairFrontmatter(yaml, typedKeys, whole) : whole;
  if (reading.status === 'mapping') {
    for (const issue of reading.issues) reportIssue(issue, log);
    // The repair found each field to be fine alone; still, the whole is not what other readers read.
    if (whole.status === 'invalid' && reading.issues.every(({ harmless }) => harmless)) reportIssues(whole, log, 'warning');
    return reading.entries;
  }
  reportIssues(whole, log, 'error');
  return null;
}

function reportIssues(reading: YamlReading, log: DiagnosticLog, severity: 'error' | 'warning'): void {
  for (const issue of reading.issues) reportIssue(issue, log, severity);
}

const issueTexts: Partial<Record<YamlIssue['code'], readonly [message: (detail: string, key: string) => string, fix: string]>> = {
  'yaml-invalid': [
    (detail) => `The frontmatter is not valid YAML: ${detail}.`,
    'Put values with ": ", " #" or a leading special character in quotes.',
  ],
  'yaml-limit': [(detail) => `The frontmatter cannot be read: ${detail}.`, 'Keep it flat, and write repeated values out.'],
  'yaml-repaired': [
    (detail, key) => `The value of ${quote(key)} is not valid YAML (${detail}); it was read as plain text.`,
    'Put it in double quotes, or write it as a block: "key: >-", with the text below, indented.',
  ],
  'yaml-text-ignored': [
    (detail) => `The line ${quote(detail)} belongs to no field and was left out.`,
    'Remove it, or move it below the frontmatter.',
  ],
  'merge-conflict': [(detail) => `A merge was not finished: ${quote(detail)}. The first side was read.`, 'Resolve the conflict.'],
  'yaml-unresolved-alias': [
    (detail) => `${quote(detail)} is an alias to YAML, but nothing has that name; it was read as text.`,
    'Put it in quotes.',
  ],
  'yaml-anchor': [(detail) => `${quote(detail)} is an anchor or alias to YAML, not text.`, 'Put it in quotes, or write the value out.'],
  'yaml-tag': [(detail) => `${quote(detail)} starts with a tag to YAML, not text.`, 'Put it in quotes.'],
  'yaml-flow-style': [
    (detail) => `${quote(detail)} is a list or map in flow style, which the reference validator refuses.`,
    'Put it in quotes if it is text; else write one item a line.',
  ],
  'duplicate-key': [(detail) => `The key ${quote(detail)} is there twice; the first was read.`, 'Remove one of them.'],
};

function reportIssue(issue: YamlIssue, log: DiagnosticLog, severity?: 'error' | 'warning'): void {
  const texts = issueTexts[issue.code];
  if (texts === undefined || (issue.harmless && log.profile === 'lenient')) return;
  log.report({ code: issue.code, message: texts[0](issue.detail, issue.key ?? ''), fix: texts[1], offset: issue.offset, severity });
}

function reportBlankLines(line: number, log: DiagnosticLog): void {
  log.report({
    code: 'frontmatter-blank-lines',
    message: `There are blank lines before the opening "---" in line ${line}.`,
    fix: 'Remove them.',
  });
}

function reportUnclosed(text: string, line: number, log: DiagnosticLog): void {
  const lines = text.split(/\r\n|\n|\r/);
  const near = lines.findIndex((candidate, index) => index >= line && /^(?:\s+---|\.\.\.)\s*$/.test(candidate));
  const hint = near === -1 ? '' : ` Line ${near + 1}, ${quote(lines[near])}, does not end it.`;
  log.report({
    code: 'frontmatter-unclosed',
    message: `The frontmatter that starts in line ${line} is never closed.${hint}`,
    fix: 'Put a line "---", not indented, below its last field.',
    line,
  });
}

function finish(
  entries: readonly YamlEntry[],
  metadata: SkillMetadata | null,
  log: DiagnosticLog,
  options: ParseSkillMdOptions,
): ParsedSkillFrontmatter {
  const frontmatter = Object.create(null) as Record<string, SkillFieldValue>;
  const typed = Object.create(null) as Record<string, unknown>;
  for (const entry of entries) {
    frontmatter[entry.key] = entry.value;
    if (entry.typed !== undefined) typed[entry.key] = entry.typed;
  }
  const name =
    typeof frontmatter['name'] === 'string' && frontmatter['name'].trim() !== '' ? frontmatter['name'].trim() : options.directoryName;
  return {
    metadata: log.hasErrors() ? null : metadata,
    frontmatter,
    typed,
    diagnostics: log.diagnostics(metadata?.name ?? name, options.path),
  };
}

function failed(log: DiagnosticLog, options: ParseSkillMdOptions): ParsedSkillFrontmatter {
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
