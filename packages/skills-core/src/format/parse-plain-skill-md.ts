import { parseLevelOneWith, parseWholeWith } from './parse-frame.ts';
import type { ParsedSkillFrontmatter, ParsedSkillMd, ParseSkillMdOptions } from './parsed-skill-md.ts';
import { readPlainLevelOne, readPlainYaml } from './read-plain-yaml.ts';

/**
 * `parseSkillMd` without the YAML parser: for sources that read thousands of files at a start and
 * load the parser only for a file that needs it. Of 2,000 frontmatters of libraries that nobody
 * tuned on, it leaves 7 to the parser, and of level 1, 5. One library may be unlike them: the first
 * such file makes a start pay for the parser.
 *
 * @returns what `parseSkillMd` returns; `null` where only that can tell
 */
export function parsePlainSkillMd(content: string | Uint8Array, options: ParseSkillMdOptions = {}): ParsedSkillMd | null {
  return parseWholeWith(readPlainYaml, content, options) ?? null;
}

/**
 * `parseSkillFrontmatter` without the YAML parser, and without what a listing has no use for; see
 * {@link parsePlainSkillMd}.
 *
 * @returns the metadata and the diagnostics of `parseSkillFrontmatter`; `null` where only that can
 *   tell
 */
export function parsePlainSkillFrontmatter(
  content: string | Uint8Array,
  options: ParseSkillMdOptions = {},
): Pick<ParsedSkillFrontmatter, 'metadata' | 'diagnostics'> | null {
  const read = parseLevelOneWith(readPlainLevelOne, content, options);
  return read === undefined ? null : { metadata: read.metadata, diagnostics: read.diagnostics };
}
