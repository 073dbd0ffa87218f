import type { SkillMdDiagnostic } from '@repertoire/skills-core/skill-md';
import type { LintFinding, LintRule } from '../lint-rule.ts';
import { unknownTools } from '../unknown-tools.ts';
import { lineOfField } from '../positions.ts';

const fieldCodes: ReadonlySet<string> = new Set(['field-unknown', 'field-spelling']);
/** Warnings of the parser by which an agent reads something else than the author wrote. */
const harmful: ReadonlySet<string> = new Set([
  'duplicate-key',
  'merge-conflict',
  'encoding-invalid',
  'encoding-nul',
  'inline-comment',
  'yaml-text-ignored',
]);

/** A skill that cannot be loaded, or is not read as it was written. */
export const invalidFormat: LintRule = {
  id: 'invalid-format',
  kind: 'correctness',
  severity: 'error',
  summary: 'SKILL.md cannot be loaded, or is read otherwise than it was written.',
  check: ({ parsed }) =>
    parsed.diagnostics.filter(({ severity, code }) => !fieldCodes.has(code) && (severity === 'error' || harmful.has(code))).map(findingOf),
};

/** A field that nobody reads, and that looks like one that is read. */
export const unknownField: LintRule = {
  id: 'unknown-field',
  kind: 'correctness',
  severity: 'error',
  summary: 'A field of the frontmatter looks like a misspelt one.',
  check: ({ parsed }) =>
    parsed.diagnostics.filter(({ code, fix }) => code === 'field-unknown' && fix.startsWith('Did you mean')).map(findingOf),
};

/** A tool that the host does not have. */
export const wrongTool: LintRule = {
  id: 'wrong-tool',
  kind: 'correctness',
  severity: 'error',
  summary: 'A skill names a tool that the agent does not have. Needs --tools.',
  check: ({ parsed: { metadata }, text, path }, { tools }) => {
    if (tools === undefined || metadata === null) return [];
    return unknownTools(metadata, tools, path).map(({ message, fix }) => ({
      message,
      fix,
      line: lineOfField(text, message.startsWith('"tools"') ? 'tools' : 'allowed-tools'),
    }));
  },
};

/** Steps that no engine can run. */
export const invalidSteps: LintRule = {
  id: 'invalid-steps',
  kind: 'correctness',
  severity: 'error',
  summary: 'The steps of a workflow cannot run. Needs @repertoire/skill-workflow.',
  check: (skill, { checkSteps }) => checkSteps?.(skill) ?? [],
};

function findingOf({ message, line, column, fix }: SkillMdDiagnostic): LintFinding {
  return { message, line, column, fix };
}
