import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { SkillSearchDiagnosticCode } from './diagnostic-codes.ts';

/** What only tells how far an answer reaches. The rest are failures that somebody should look at. */
const informative: ReadonlySet<SkillSearchDiagnosticCode> = new Set([
  'search-index-incomplete',
  'search-index-stale',
  'search-query-cut',
  'search-vectors-incomplete',
]);

/** A diagnostic of a search. */
export function searchDiagnostic(code: SkillSearchDiagnosticCode, message: string): SkillDiagnostic {
  return { code, severity: informative.has(code) ? 'info' : 'warning', message };
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
