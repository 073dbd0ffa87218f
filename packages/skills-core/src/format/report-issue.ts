import { quote, type DiagnosticLog } from './diagnostic-log.ts';
import type { YamlIssue } from './yaml-reading.ts';

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

/** Reports a problem of YAML, unless it matters to the other profile only. */
export function reportIssue(issue: YamlIssue, log: DiagnosticLog, severity?: 'error' | 'warning'): void {
  const texts = issueTexts[issue.code];
  if (texts === undefined || (issue.harmless && log.profile === 'lenient')) return;
  log.report({ code: issue.code, message: texts[0](issue.detail, issue.key ?? ''), fix: texts[1], offset: issue.offset, severity });
}
