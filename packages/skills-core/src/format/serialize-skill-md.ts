import type { SkillFieldValue, SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { normalizeLineEnds } from './decode-skill-md.ts';
import { skillFields } from './skill-fields.ts';

/**
 * Writes a SKILL.md that reads back as the same skill: name, description and the other known fields
 * in a fixed order, then `fields` in the order that they have. Text that YAML would take for
 * something else is quoted, also for readers of YAML 1.1 (`yes`, `1.10`, dates). Where `fields` has
 * `metadata` or `allowed-tools`, these are written: they are what the author wrote, the properties
 * only a view of it. `origin` is not written.
 *
 * The limits of reading hold for what is written, too: a reader refuses a description of twenty
 * kilobytes, or one with a thousand quotation marks.
 *
 * What reading normalizes is not kept: white space around text and body, `\r` line ends of the
 * body, a name that is not in NFKC.
 *
 * @throws {SkillError} `invalid-skill` without a name or description, since nothing could read it
 *   back
 * @example
 * ```ts
 * import { serializeSkillMd } from '@repertoire/skills-core/skill-md';
 *
 * serializeSkillMd({ name: 'haiku', description: 'Writes haiku: five, seven, five.', version: '1.10', body: 'Count twice.' });
 * // ---
 * // name: haiku
 * // description: "Writes haiku: five, seven, five."
 * // version: "1.10"
 * // ---
 * //
 * // Count twice.
 * ```
 */
export function serializeSkillMd(
  skill: Omit<SkillMetadata, 'version'> & { readonly version?: string | null | undefined; readonly body: string },
): string {
  if (skill.name.trim() === '' || skill.description.trim() === '') {
    throw new SkillError('invalid-skill', `Skill ${JSON.stringify(skill.name)} cannot be written: it needs a name and a description.`, {
      skill: skill.name,
    });
  }
  const fields = skill.fields ?? {};
  const frontmatter = new Map<string, unknown>();
  for (const { key, property } of skillFields) {
    const value = property === undefined ? undefined : skill[property];
    if (value === undefined || value === null) continue;
    const isView = (property === 'metadata' || property === 'allowedTools') && Object.hasOwn(fields, key);
    frontmatter.set(key, isView ? fields[key] : property === 'allowedTools' ? writtenPatterns(value as readonly string[]) : value);
  }
  for (const [key, value] of Object.entries(fields)) {
    if (!frontmatter.has(key)) frontmatter.set(key, value);
  }
  const body = normalizeLineEnds(skill.body).trim();
  return `---\n${writeYaml(frontmatter)}---\n${body === '' ? '' : `\n${body}\n`}`;
}

/** A pattern that no reader of the one string could take apart. */
const plainPattern = /^(?!null$)\w(?:[\w.:*/-]*[\w*/])?(?:\([^()'"]*\))?$/;

/** The one string of the specification; a list where that could be read as other patterns. */
function writtenPatterns(patterns: readonly string[]): SkillFieldValue {
  const isPlain = new Set(patterns).size === patterns.length && patterns.every((pattern) => plainPattern.test(pattern));
  return isPlain ? patterns.join(' ') : patterns;
}

/** Words that YAML 1.1 or 1.2 reads as a boolean or as null. */
const reserved: ReadonlySet<string> = new Set(['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null']);

/** The longest text that is looked at for whether it needs quotes; longer ones get them. */
const maxPlainLength = 1_000;

/** Characters that a YAML reader may change or refuse, besides those that JSON escapes. */
// eslint-disable-next-line no-control-regex
const special = /[\u007F-\u009F\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

/** The longest key that YAML allows in front of a colon on the same line, with a margin. */
const maxSimpleKey = 1_000;

/**
 * Writes plain data as a block of YAML that any YAML reader (1.1 and 1.2) reads back as the same
 * value. Text is quoted only if it has to be. Three hyphens never occur, because some readers of
 * frontmatter cut at any of them.
 */
function writeYaml(entries: ReadonlyMap<string, unknown>): string {
  return writeMap([...entries], '');
}

function writeMap(entries: readonly (readonly [string, unknown])[], indent: string): string {
  return entries
    .map(([key, value]) => {
      const written = writeText(key);
      return written.length > maxSimpleKey
        ? `${indent}? ${written}\n${indent}:${writeValue(value, indent)}`
        : `${indent}${written}:${writeValue(value, indent)}`;
    })
    .join('');
}

/** What follows the colon or the dash, with the line end. */
function writeValue(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) return value.length === 0 ? ' []\n' : `\n${value.map((item) => writeItem(item, inner)).join('')}`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, child]) => child !== undefined);
    return entries.length === 0 ? ' {}\n' : `\n${writeMap(entries, inner)}`;
  }
  if (typeof value !== 'string') return ` ${JSON.stringify(value ?? null)}\n`;
  if (isBlock(value))
    return ` |-\n${value
      .split('\n')
      .map((line) => (line === '' ? '\n' : `${inner}${line}\n`))
      .join('')}`;
  return ` ${writeText(value)}\n`;
}

function writeItem(item: unknown, indent: string): string {
  if (typeof item !== 'object' || item === null || Object.keys(item).length === 0) return `${indent}-${writeValue(item, indent)}`;
  // The first line of a nested map or list stands behind the dash.
  const nested = Array.isArray(item)
    ? item.map((child) => writeItem(child, `${indent}  `)).join('')
    : writeMap(
        Object.entries(item).filter(([, child]) => child !== undefined),
        `${indent}  `,
      );
  return `${indent}- ${nested.slice(indent.length + 2)}`;
}

/** Several lines that can stand as they are. */
function isBlock(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0009\u000B-\u001F]/.test(text) || text.search(special) !== -1) return false;
  return text.includes('\n') && text === text.trim() && !text.includes('---') && text.isWellFormed();
}

function writeText(text: string): string {
  // A pattern with classes of letters takes a millisecond to make, which most programs never need.
  const plain = /^\p{L}(?:[\p{L}\p{M}\p{N} _.,;()/'"+*&!?%@=<>~|^$-]|:(?=\S))*$/u;
  if (
    text.length <= maxPlainLength &&
    plain.test(text) &&
    !text.endsWith(' ') &&
    !text.includes('---') &&
    !reserved.has(text.toLowerCase())
  )
    return text;
  return JSON.stringify(text).replace(special, escape).replaceAll('---', '-\\x2d-');
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
