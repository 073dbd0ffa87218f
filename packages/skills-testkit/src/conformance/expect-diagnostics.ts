import type { SkillDiagnostic } from '@repertoire/skills-core';
import { assert } from './assert.ts';

/** Fails unless this is a list of diagnostics with code, severity and message. */
export function expectDiagnostics(diagnostics: readonly SkillDiagnostic[], what: string): void {
  assert(Array.isArray(diagnostics), `${what}: expected a list, got ${typeof diagnostics}.`);
  for (const { code, severity, message } of diagnostics) {
    const hasTexts = typeof code === 'string' && code !== '' && typeof message === 'string' && message !== '';
    assert(hasTexts, `${what}: a diagnostic has no code or no message.`);
    assert(
      ['error', 'warning', 'info'].includes(severity),
      `${what}: ${code} has the severity ${JSON.stringify(severity)}, which is none.`,
    );
  }
}
