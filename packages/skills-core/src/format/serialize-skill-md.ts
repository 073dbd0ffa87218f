import type { SkillFieldValue, SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { normalizeLineEnds } from './decode-skill-md.ts';
import { skillFields } from './skill-fields.ts';
import { writeYaml } from './write-yaml.ts';

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
