import { boundedMessage } from '../errors/bounded-message.ts';
import type { SkillDiagnostic } from './skill-provider.ts';

/** More diagnostics tell a person nothing. */
export const maxDiagnostics = 1_000;
const ranks: readonly SkillDiagnostic['severity'][] = ['error', 'warning', 'info'];

/**
 * Collects the diagnostics of one document or listing, and never more than a thousand: further ones
 * are only counted. The texts of each are bounded as those of errors are. Use it wherever the
 * number of diagnostics depends on what a source says.
 */
export class DiagnosticList {
  readonly #kept: SkillDiagnostic[] = [];
  #leftOut = 0;

  /** Adds a diagnostic, or counts it if the list is full. */
  add(diagnostic: SkillDiagnostic): void {
    if (this.#kept.length < maxDiagnostics) this.#kept.push(boundedDiagnostic(diagnostic));
    else this.#leftOut += 1;
  }

  /** What was added, in that order; the last one says how many were left out, if any were. */
  get all(): readonly SkillDiagnostic[] {
    return this.#leftOut === 0 ? this.#kept : [...this.#kept, leftOut(this.#leftOut)];
  }
}

/**
 * The same diagnostics, at most `max` of them and with bounded texts. If some must be left out,
 * errors are kept before warnings and warnings before infos. Returns the same array if nothing
 * changes.
 *
 * @param max @default 1000
 */
export function boundedDiagnostics(diagnostics: readonly SkillDiagnostic[], max: number = maxDiagnostics): readonly SkillDiagnostic[] {
  const bounded = diagnostics.map(boundedDiagnostic);
  const count = diagnostics.length;
  if (count <= max) return bounded.every((diagnostic, index) => diagnostic === diagnostics[index]) ? diagnostics : bounded;
  const kept = bounded
    .map((diagnostic, index) => ({ diagnostic, index }))
    .sort((a, b) => ranks.indexOf(a.diagnostic.severity) - ranks.indexOf(b.diagnostic.severity))
    .slice(0, max)
    .sort((a, b) => a.index - b.index);
  return [...kept.map(({ diagnostic }) => diagnostic), leftOut(count - max)];
}

/** The same diagnostic with bounded texts; the same object if they are short. */
export function boundedDiagnostic(diagnostic: SkillDiagnostic): SkillDiagnostic {
  const long = (['message', 'fix', 'skill', 'path'] as const).flatMap((field) => {
    const text = diagnostic[field];
    const bounded = text && boundedMessage(text);
    return bounded === text ? [] : [[field, bounded]];
  });
  return long.length === 0 ? diagnostic : { ...diagnostic, ...Object.fromEntries(long) };
}

function leftOut(count: number): SkillDiagnostic {
  return {
    code: 'diagnostics-cut',
    severity: 'info',
    message: `${count} more were found and left out.`,
    fix: 'Fix those that are shown, and list the skills again.',
  };
}
