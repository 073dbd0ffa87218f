import { assertKnownOptions, type OptionRules } from '../contract/known-options.ts';
import type { DiagnosticLog } from './diagnostic-log.ts';
import { parseLevelOneWith, parseWholeWith, withFields, type LevelOne } from './parse-frame.ts';
import type { ParsedSkillFrontmatter, ParsedSkillMd, ParseSkillMdOptions } from './parsed-skill-md.ts';
import { frontmatterCost } from './frontmatter-cost.ts';
import { parseYaml } from './parse-yaml.ts';
import { readPlainYaml } from './read-plain-yaml.ts';
import { repairFrontmatter } from './repair-frontmatter.ts';
import { reportIssue } from './report-issue.ts';
import { typedKeys } from './skill-fields.ts';
import type { YamlEntry, YamlReading } from './yaml-reading.ts';

const knownOptions: OptionRules<ParseSkillMdOptions> = {
  profile: { strict: true, lenient: true },
  directoryName: 'string',
  path: 'string',
  maxFrontmatterBytes: 'number',
  maxBytes: 'number',
};

/**
 * Reads a SKILL.md. It throws for no content: whatever is wrong is a diagnostic with a code, a
 * line, and what to change.
 *
 * **`lenient`** loads real-world skills: a byte order mark, blank lines or a comment before the
 * frontmatter, one without its delimiters, values that are not valid YAML (each is read as text,
 * and the other fields as they are), names that are not the folder's or break the rules, a missing
 * name (the folder's is used), known fields in another spelling. It gives `null` only without a
 * description, without any name, and for files that are no text or too large.
 *
 * **`strict`** gives the verdicts of the standard's reference validator: the same files have an
 * error, unknown fields among them. It deliberately differs where that validator contradicts the
 * specification, which speaks of YAML between two lines:
 *
 * - Delimiters are whole lines. The reference cuts at the first `---` anywhere, so that
 *   `description: a --- b` loses its end; here it is whole. In return, `---name: x` and a `---` at
 *   the end of a value open and close nothing.
 * - A byte order mark is a warning; the reference takes the file for one without frontmatter.
 * - Flow style (`[a, b]`, `{}`) is a warning, since it is valid YAML; the reference refuses it.
 *   Anchors, aliases and tags stay errors.
 * - `compatibility: ""` is a warning, as the reference lets it pass though the specification asks
 *   for 1 to 500 characters.
 * - Bytes that are not UTF-8, and NUL, are errors; the reference fails on them in other ways.
 *
 * Source: Agent Skills specification; client guide, "Parsing SKILL.md files"; the reference
 * library's `validator`.
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
  assertKnownOptions('parseSkillMd', options, knownOptions);
  return parseWholeWith(readYaml, content, options) as ParsedSkillMd;
}

/**
 * Reads level 1 only. The content may be the first part of a file, as long as it holds the line
 * that closes the frontmatter (see {@link scanFrontmatter}); what follows is neither decoded nor
 * looked at. It never throws.
 *
 * @example
 * ```ts
 * import { parseSkillFrontmatter } from '@repertoire/skills-core/skill-md';
 *
 * parseSkillFrontmatter('---\ndescription: Writes haiku.\n---\n', { directoryName: 'haiku' }).metadata; // { name: 'haiku', description: 'Writes haiku.' }
 * ```
 */
export function parseSkillFrontmatter(content: string | Uint8Array, options: ParseSkillMdOptions = {}): ParsedSkillFrontmatter {
  assertKnownOptions('parseSkillFrontmatter', options, knownOptions);
  return withFields(parseLevelOneWith(readYaml, content, options) as LevelOne);
}

/** The fields; `null` where the YAML as a whole cannot be used, which is reported. */
function readYaml(yaml: string, log: DiagnosticLog): readonly YamlEntry[] | null {
  // Whatever it is made of, this takes time that is linear in its length.
  const plain = readPlainYaml(yaml, log);
  if (plain !== undefined) return plain;
  const cost = frontmatterCost(yaml);
  if (cost !== undefined) {
    log.report({
      code: 'frontmatter-too-complex',
      message: `The frontmatter is not read, because parsing it could take very long: ${cost}.`,
      fix: 'Write it as plain fields, one a line, and move the rest into the body.',
      offset: 0,
    });
    return null;
  }
  reportControlCharacter(yaml, log);
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
    // Each field is fine alone, but the whole is not what other readers read.
    if (whole.status === 'invalid' && reading.issues.every(({ harmless }) => harmless)) reportIssues(whole, log, 'warning');
    return reading.entries;
  }
  reportIssues(whole, log, 'error');
  return null;
}

/** YAML allows a line feed, a tab and U+0085, and no other of them. */
const control = /[\u0000-\u0008\u000B-\u001F\u007F-\u0084\u0086-\u009F]/;

function reportControlCharacter(yaml: string, log: DiagnosticLog): void {
  const offset = yaml.search(control);
  if (offset === -1) return;
  log.report({
    code: 'control-character',
    message: `The frontmatter has the control character U+${yaml.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0')}, which YAML does not allow.`,
    fix: 'Remove it.',
    offset,
  });
}

function reportIssues(reading: YamlReading, log: DiagnosticLog, severity: 'error' | 'warning'): void {
  for (const issue of reading.issues) reportIssue(issue, log, severity);
}
