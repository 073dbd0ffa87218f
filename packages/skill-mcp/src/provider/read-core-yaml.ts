import { parsePlainSkillMd } from '@repertoire/skills-core/provider';
import { frontmatterCost, type SkillFieldValue } from '@repertoire/skills-core/internal';
import { isScalar, parseDocument, visit } from 'yaml';

/** Maximum nodes that aliases may expand to. The parser's own limit counts differently. */
const maxAliasCount = 100;

/** What is no text to the core schema if it stands without quotes (YAML 1.2.2, section 10.3.2). */
const noText =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|[-+]?\d+|0o[0-7]+|0x[\dA-Fa-f]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))?$/;

/**
 * Reads frontmatter in which every value is a text, whatever schema reads it. Most frontmatter is
 * so, and the parser takes ten times as long.
 *
 * @returns `null` where only the parser can tell
 */
export function readTexts(text: string): Readonly<Record<string, SkillFieldValue>> | null {
  if (!text.endsWith('\n') || text.includes('\r') || text.includes('\n---')) return null;
  const parsed = parsePlainSkillMd(`---\n${text}---\n`, { profile: 'strict', maxFrontmatterBytes: Number.POSITIVE_INFINITY });
  const fields = Object.entries(parsed?.frontmatter ?? {});
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
 * Reads YAML with the core schema of YAML 1.2, as the extension requires. Duplicate keys are an
 * error, as in the parser itself, whose check compares every pair of keys and takes seconds for
 * thousands of them.
 *
 * @throws for invalid YAML, and for one that would cost the parser seconds
 */
export function readCoreYaml(text: string): unknown {
  const texts = readTexts(text);
  if (texts !== null) return texts;
  const cost = frontmatterCost(text);
  if (cost !== undefined) throw new Error(`It is not read, because parsing it could take very long: ${cost}.`);
  return readByLibrary(text);
}

/** The same by the YAML library. */
export function readByLibrary(text: string): unknown {
  const document = parseDocument(text, { schema: 'core', version: '1.2', logLevel: 'silent', prettyErrors: false, uniqueKeys: false });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const value = isScalar(key) ? key.value : key;
        if (seen.has(value)) throw new Error(`Map keys must be unique: ${String(value).slice(0, 100)}`);
        seen.add(value);
      }
    },
  });
  return document.toJS({ maxAliasCount });
}
