import { parseLevelOneWith, parseWholeWith, type FieldsReader } from './parse-frame.ts';
import type { ParsedSkillFrontmatter, ParsedSkillMd, ParseSkillMdOptions } from './parsed-skill-md.ts';
import { readFlatFields } from './read-flat-fields.ts';
import { typedKeys } from './skill-fields.ts';

/**
 * `parseSkillMd` without the YAML parser: for sources that read thousands of files at a start and load the parser only for a file that needs it.
 * Of a hundred published skills, this reads more than ninety-nine.
 *
 * @returns what `parseSkillMd` returns; `null` where only that can tell
 * @example
 * ```ts
 * import { parsePlainSkillMd } from '@repertoire/skills-core/provider';
 *
 * export async function bodyOf(bytes: Uint8Array): Promise<string> {
 *   const parsed = parsePlainSkillMd(bytes) ?? (await import('@repertoire/skills-core/skill-md')).parseSkillMd(bytes);
 *   return parsed.body;
 * }
 * ```
 */
export function parsePlainSkillMd(content: string | Uint8Array, options: ParseSkillMdOptions = {}): ParsedSkillMd | null {
  return parseWholeWith(readFields, content, options) ?? null;
}

/**
 * `parseSkillFrontmatter` without the YAML parser, and without what a listing has no use for; see {@link parsePlainSkillMd}.
 *
 * @returns the metadata and the diagnostics of `parseSkillFrontmatter`; `null` where only that can tell
 * @example
 * ```ts
 * import { parsePlainSkillFrontmatter } from '@repertoire/skills-core/internal';
 *
 * parsePlainSkillFrontmatter('---\nname: haiku\ndescription: Writes haiku.\n---\n')?.metadata?.name; // 'haiku'
 * parsePlainSkillFrontmatter('---\nname: haiku\ntags: [poems]\n---\n'); // null
 * ```
 */
export function parsePlainSkillFrontmatter(
  content: string | Uint8Array,
  options: ParseSkillMdOptions = {},
): Pick<ParsedSkillFrontmatter, 'metadata' | 'diagnostics'> | null {
  const read = parseLevelOneWith(readFields, content, options);
  return read === undefined ? null : { metadata: read.metadata, diagnostics: read.diagnostics };
}

const readFields: FieldsReader = (yaml) => readFlatFields(yaml, typedKeys) ?? undefined;
