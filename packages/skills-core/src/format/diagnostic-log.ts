import type { SkillDiagnostic } from '../contract/skill-provider.ts';
import type { SkillMdDiagnosticCode } from './diagnostic-codes.ts';

/**
 * How a SKILL.md is read.
 *
 * - `strict`: for authors. An error exactly where the reference validator of the standard refuses
 *   the file.
 * - `lenient`: for loading real-world skills. An error only if no skill can be made from the file.
 */
export type SkillMdProfile = 'strict' | 'lenient';

/** A diagnostic of a SKILL.md: it always says where, and what to change. */
export interface SkillMdDiagnostic extends SkillDiagnostic {
  readonly code: SkillMdDiagnosticCode;
  /** Line in the file, from 1. */
  readonly line: number;
  /** Column in the line, from 1, in UTF-16 units. */
  readonly column: number;
  readonly fix: string;
}

type Severity = SkillDiagnostic['severity'];

// Nobody reads more, and a hostile file could hold tens of thousands.
const maxReports = 100;

/** What is reported, before it has a severity and a position in the file. */
export interface SkillMdReport {
  readonly code: SkillMdDiagnosticCode;
  readonly message: string;
  readonly fix: string;
  /** Offset in the text of the frontmatter. @default the start of the file, or `line` */
  readonly offset?: number | undefined;
  /** Line in the file, for what lies outside the frontmatter. */
  readonly line?: number | undefined;
  /** Overrides the severity of the code. */
  readonly severity?: Severity | undefined;
}

/** Collects what is found while a file is read. */
export interface DiagnosticLog {
  readonly profile: SkillMdProfile;
  report(report: SkillMdReport): void;
  /** Tells where the text of the frontmatter lies, so that offsets can be turned into lines. */
  locate(yaml: string, firstLine: number): void;
  hasErrors(): boolean;
  /** Whether something of this code was reported. */
  has(code: SkillMdDiagnosticCode): boolean;
  /** The first hundred, in the order of the file. */
  diagnostics(skill: string | undefined, path: string | undefined): SkillMdDiagnostic[];
}

// Only what differs from the rule "a warning under lenient, an error under strict".
const severities: Partial<Record<SkillMdDiagnosticCode, Readonly<Record<SkillMdProfile, Severity>>>> = {
  'file-too-large': { lenient: 'error', strict: 'error' },
  'encoding-utf16': { lenient: 'error', strict: 'error' },
  'byte-order-mark': { lenient: 'info', strict: 'warning' },
  'skill-file-missing': { lenient: 'error', strict: 'error' },
  'skill-file-name': { lenient: 'warning', strict: 'warning' },
  'resource-path-invalid': { lenient: 'warning', strict: 'warning' },
  'frontmatter-missing': { lenient: 'error', strict: 'error' },
  'frontmatter-unclosed': { lenient: 'error', strict: 'error' },
  'frontmatter-too-large': { lenient: 'error', strict: 'error' },
  'frontmatter-too-complex': { lenient: 'error', strict: 'error' },
  'frontmatter-not-mapping': { lenient: 'error', strict: 'error' },
  'yaml-flow-style': { lenient: 'info', strict: 'warning' },
  'inline-comment': { lenient: 'warning', strict: 'warning' },
  'name-normalized': { lenient: 'info', strict: 'info' },
  'name-not-ascii': { lenient: 'info', strict: 'info' },
  'name-reserved-word': { lenient: 'info', strict: 'info' },
  'description-missing': { lenient: 'error', strict: 'error' },
  'compatibility-empty': { lenient: 'warning', strict: 'warning' },
  'metadata-not-map': { lenient: 'warning', strict: 'warning' },
  'metadata-not-text': { lenient: 'warning', strict: 'warning' },
  'allowed-tools-separator': { lenient: 'info', strict: 'warning' },
  'allowed-tools-syntax': { lenient: 'warning', strict: 'warning' },
  'field-unknown': { lenient: 'info', strict: 'error' },
  'diagnostics-cut': { lenient: 'info', strict: 'info' },
};

/** An empty log. Positions are computed only for what was reported. */
export function createDiagnosticLog(profile: SkillMdProfile): DiagnosticLog {
  return new Log(profile);
}

class Log implements DiagnosticLog {
  readonly profile: SkillMdProfile;
  #reports: SkillMdReport[] | undefined;
  #leftOut = 0;
  #hasErrors = false;
  #yaml = '';
  #firstLine = 1;

  constructor(profile: SkillMdProfile) {
    this.profile = profile;
  }

  report(report: SkillMdReport): void {
    const isError = this.#severityOf(report) === 'error';
    const reports = (this.#reports ??= []);
    // The first error is always kept: it is why there is no skill.
    if (reports.length >= maxReports && (this.#hasErrors || !isError)) this.#leftOut += 1;
    else reports.push(report);
    this.#hasErrors ||= isError;
  }

  locate(yaml: string, firstLine: number): void {
    this.#yaml = yaml;
    this.#firstLine = firstLine;
  }

  hasErrors(): boolean {
    return this.#hasErrors;
  }

  has(code: SkillMdDiagnosticCode): boolean {
    return this.#reports?.some((report) => report.code === code) === true;
  }

  diagnostics(skill: string | undefined, path: string | undefined): SkillMdDiagnostic[] {
    if (this.#reports === undefined) return [];
    const diagnostics = this.#reports
      .map((report) => this.#placed(report, skill, path))
      .sort((a, b) => a.line - b.line || a.column - b.column);
    if (this.#leftOut === 0) return diagnostics;
    const last = {
      code: 'diagnostics-cut',
      message: `${this.#leftOut} more were found and left out.`,
      fix: 'Fix those above, and read it again.',
    } as const;
    return [...diagnostics, this.#placed(last, skill, path)];
  }

  #severityOf(report: SkillMdReport): Severity {
    return report.severity ?? severities[report.code]?.[this.profile] ?? (this.profile === 'strict' ? 'error' : 'warning');
  }

  #placed(report: SkillMdReport, skill: string | undefined, path: string | undefined): SkillMdDiagnostic {
    return {
      code: report.code,
      severity: this.#severityOf(report),
      message: report.message,
      ...(skill === undefined ? {} : { skill }),
      ...(path === undefined ? {} : { path }),
      ...(report.offset === undefined ? { line: report.line ?? 1, column: 1 } : positionOf(this.#yaml, report.offset, this.#firstLine)),
      fix: report.fix,
    };
  }
}

/** A value for a message: quoted, and cut where it is long. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 120 ? text : `${text.slice(0, 100)}… (${text.length} characters)`;
}

function positionOf(text: string, offset: number, firstLine: number): { line: number; column: number } {
  const end = Math.min(offset, text.length);
  let line = firstLine;
  let lineStart = 0;
  for (let next = text.indexOf('\n'); next !== -1 && next < end; next = text.indexOf('\n', lineStart)) {
    line += 1;
    lineStart = next + 1;
  }
  return { line, column: end - lineStart + 1 };
}
