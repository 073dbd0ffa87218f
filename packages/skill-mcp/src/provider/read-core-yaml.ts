import { parsePlainSkillMd } from '@repertoire/skills-core/provider';
import type { SkillFieldValue } from '@repertoire/skills-core/internal';
import { parseCoreYaml } from '@repertoire/skills-core/skill-md';

/** What is no text to the core schema if it stands without quotes (YAML 1.2.2, section 10.3.2). */
const noText =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|[-+]?\d+|0o[0-7]+|0x[\dA-Fa-f]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))?$/;

/** Signs that the text may not be YAML, so that the parser has to decide. */
const uncertain: ReadonlySet<string> = new Set([
  'duplicate-key',
  'merge-conflict',
  'yaml-anchor',
  'yaml-invalid',
  'yaml-limit',
  'yaml-repaired',
  'yaml-tag',
  'yaml-text-ignored',
  'yaml-unresolved-alias',
  'diagnostics-cut',
]);

/**
 * Reads frontmatter in which every value is a text, whatever schema reads it. Most frontmatter is
 * so, and the parser takes ten times as long.
 *
 * @returns `null` where only the parser can tell
 */
export function readTexts(text: string): Readonly<Record<string, SkillFieldValue>> | null {
  if (!text.endsWith('\n') || text.includes('\r') || text.includes('\n---')) return null;
  const parsed = parsePlainSkillMd(`---\n${text}---\n`, { profile: 'strict', maxFrontmatterBytes: Number.POSITIVE_INFINITY });
  if (parsed?.diagnostics.some(({ code }) => uncertain.has(code)) !== false) return null;
  const fields = Object.entries(parsed.frontmatter ?? {});
  return fields.length > 0 && fields.every(isPlainField) ? Object.fromEntries(fields) : null;
}

function isPlainField([key, value]: readonly [string, SkillFieldValue]): boolean {
  return !noText.test(key) && isPlainValue(value);
}

function isPlainValue(value: SkillFieldValue): boolean {
  if (typeof value === 'string') return !noText.test(value);
  return Array.isArray(value) ? value.every(isPlainValue) : Object.entries(value).every(isPlainField);
}

/**
 * Reads YAML with the core schema of YAML 1.2, as the extension requires.
 *
 * @throws {SkillError} `invalid-skill` for what `parseCoreYaml` refuses
 */
export function readCoreYaml(text: string): unknown {
  return readTexts(text) ?? parseCoreYaml(text);
}
