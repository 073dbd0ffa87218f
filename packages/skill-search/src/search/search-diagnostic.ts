import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { SkillSearchDiagnosticCode } from './diagnostic-codes.ts';

/** Diagnostics that need no attention. */
const informative: ReadonlySet<SkillSearchDiagnosticCode> = new Set([
  'search-index-incomplete',
  'search-index-stale',
  'search-references-cut',
  'search-query-cut',
  'search-vectors-incomplete',
]);

/** A diagnostic of a search. */
export function searchDiagnostic(code: SkillSearchDiagnosticCode, message: string): SkillDiagnostic {
  return { code, severity: informative.has(code) ? 'info' : 'warning', message };
}
