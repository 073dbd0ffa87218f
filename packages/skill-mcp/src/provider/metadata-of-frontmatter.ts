import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { parseSkillFrontmatter } from '@repertoire/skills-core/skill-md';

/**
 * Level 1 of a frontmatter that came as JSON. It is read by the same rules as that of a file: JSON is YAML, and each field is one line of it.
 *
 * @param folder name of the skill's folder
 * @param path the URI of its `SKILL.md`, for diagnostics
 */
export function metadataOfFrontmatter(
  frontmatter: Readonly<Record<string, unknown>>,
  folder: string,
  path: string,
): { readonly metadata: SkillMetadata | null; readonly diagnostics: readonly SkillDiagnostic[] } {
  const lines = Object.entries(frontmatter).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}\n`);
  const { metadata, diagnostics } = parseSkillFrontmatter(`---\n${lines.join('')}---\n`, {
    directoryName: folder,
    path,
    // The caller has measured it.
    maxBytes: Number.POSITIVE_INFINITY,
    maxFrontmatterBytes: Number.POSITIVE_INFINITY,
  });
  // The lines are ours, and nobody could look them up.
  return { metadata, diagnostics: diagnostics.map(({ line: _line, column: _column, ...diagnostic }) => diagnostic) };
}
