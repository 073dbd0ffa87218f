import type { LintFinding, LintRule } from '../lint-rule.ts';
import { nearName } from '../near-name.ts';
import { lineOfField } from '../positions.ts';

/** Words that a field takes, where clients take no others. */
const sets: Readonly<Record<string, readonly string[]>> = {
  context: ['fork', 'inline'],
  effort: ['low', 'medium', 'high', 'xhigh', 'max'],
  shell: ['bash', 'powershell'],
};
/** What the reader of SKILL.md says of a value that it cannot use. */
const codes: ReadonlySet<string> = new Set(['field-invalid-value', 'allowed-tools-syntax']);

/** A value that no client understands, or two that contradict each other. */
export const wrongValue: LintRule = {
  id: 'wrong-value',
  kind: 'correctness',
  severity: 'error',
  summary: 'A field has a value that clients ignore, or two fields contradict each other.',
  check: ({ parsed: { metadata, diagnostics }, text }) => {
    const found: LintFinding[] = diagnostics
      .filter(({ code, severity }) => codes.has(code) && severity !== 'error')
      .map(({ message, line, column, fix }) => ({ message, line, column, fix }));
    if (metadata === null) return found;
    const { context, agent, fields, allowedTools = [] } = metadata;
    for (const [field, words] of Object.entries(sets)) {
      const value: unknown = field === 'context' ? context : fields?.[field];
      if (typeof value !== 'string' || value === '' || words.includes(value.toLowerCase())) continue;
      const near = nearName(value, words);
      found.push({
        line: lineOfField(text, field),
        message: `"${field}: ${value.slice(0, 60)}" is none of the values that clients know: ${words.join(', ')}.`,
        fix: near === null ? 'Write one of these, or remove the field.' : `Did you mean "${field}: ${near}"?`,
      });
    }
    if (metadata.disableModelInvocation === true && metadata.userInvocable === false)
      found.push({
        line: lineOfField(text, 'user-invocable'),
        message: 'Neither a model ("disable-model-invocation: true") nor a person ("user-invocable: false") can start the skill.',
        fix: 'Remove one of the two fields.',
      });
    if (agent !== undefined && context === undefined)
      found.push({
        line: lineOfField(text, 'agent'),
        message: '"agent" has no effect without "context: fork".',
        fix: 'Add "context: fork", or remove "agent".',
      });
    const denied = namesIn(fields?.['disallowed-tools']);
    const both = allowedTools.find((pattern) => denied.includes(pattern));
    if (both !== undefined)
      found.push({
        line: lineOfField(text, 'disallowed-tools'),
        message: `${JSON.stringify(both)} is both in "allowed-tools" and in "disallowed-tools".`,
        fix: 'Remove it from one of the two.',
      });
    return found;
  },
};

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((one): one is string => typeof one === 'string');
  return typeof value === 'string' ? value.split(/[\s,]+/) : [];
}
