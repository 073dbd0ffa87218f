import { readPlainFields, type SkillFieldValue } from '@repertoire/skills-core/internal';
import { parseCoreYaml } from '@repertoire/skills-core/skill-md';

/** What is no text to the core schema if it stands without quotes (YAML 1.2.2, section 10.3.2). */
const noText =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|[-+]?\d+|0o[0-7]+|0x[\dA-Fa-f]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))?$/;

const noTypedKeys: ReadonlySet<string> = new Set();

/**
 * Reads frontmatter in which every value is a text, whatever schema reads it, or a field with
 * `true` or `false`. Most frontmatter is so, and the parser takes ten times as long.
 *
 * @returns `null` where only the parser can tell
 */
export function readTexts(text: string): Readonly<Record<string, SkillFieldValue | boolean>> | null {
  if (!text.endsWith('\n') || text.includes('\r')) return null;
  const read = readPlainFields(text, noTypedKeys);
  // Any other issue is a sign that the text may not be YAML, so that the parser has to decide.
  if (read?.issues.every(({ code }) => code === 'yaml-flow-style') !== true) return null;
  const lines = `\n${text}`;
  const fields: [key: string, value: SkillFieldValue | boolean][] = [];
  for (const { key, value } of read.entries) {
    // A key stands once, so this line is all of its field, and has no quotes.
    const isBoolean = (value === 'true' || value === 'false') && lines.includes(`\n${key}: ${value}\n`);
    if (!(isBoolean ? !noText.test(key) : isPlainField([key, value]))) return null;
    fields.push([key, isBoolean ? value === 'true' : value]);
  }
  return Object.fromEntries(fields);
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
