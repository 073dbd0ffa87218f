import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { isJsonObject } from '@repertoire/skills-core/internal';
import { parseSkillFrontmatter } from '@repertoire/skills-core/skill-md';

/**
 * Level 1 from a frontmatter in JSON. The same rules apply as to a file: JSON is YAML, and each
 * field becomes one line.
 *
 * @param folder name of the skill's folder
 * @param path the URI of its `SKILL.md`, for diagnostics
 */
export function metadataOfFrontmatter(
  frontmatter: Readonly<Record<string, unknown>>,
  folder: string,
  path: string,
): { readonly metadata: SkillMetadata | null; readonly diagnostics: readonly SkillDiagnostic[] } {
  const { metadata, diagnostics } = parseSkillFrontmatter(skillMdOfFrontmatter(frontmatter), {
    directoryName: folder,
    path,
    // The caller has checked the size.
    maxBytes: Number.POSITIVE_INFINITY,
    maxFrontmatterBytes: Number.POSITIVE_INFINITY,
  });
  // The line numbers are internal, so nobody could look them up.
  return { metadata, diagnostics: diagnostics.map(({ line: _line, column: _column, ...diagnostic }) => diagnostic) };
}

/** A `SKILL.md` with one field a line, in a form that the parser of YAML is not needed for. */
export function skillMdOfFrontmatter(frontmatter: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(frontmatter).map(([key, value]) => {
    const written = flowOf(key === 'argument-hint' ? hintOf(value) : value);
    return `${plainKey.test(key) ? key : JSON.stringify(key)}: ${written}\n`;
  });
  return `---\n${lines.join('')}---\n`;
}

/** Keys that need no quotes. With quotes, only the YAML parser reads them. */
const plainKey = /^[A-Za-z_][\w.-]{0,99}$/;

/** Words that YAML 1.2 reads as text without quotes. */
const plainWord = /^(?!(?:true|false|null)$)[a-z_][\w ./|<>-]{0,79}$/i;

/** A value as YAML, without quotes around plain words: `argument-hint: [file]` is a list. */
function flowOf(value: unknown): string {
  const isPlain = Array.isArray(value) && value.every((item) => typeof item === 'string' && plainWord.test(item) && item === item.trim());
  return isPlain ? `[${value.join(', ')}]` : JSON.stringify(value);
}

/**
 * A hint is a text, and `[--all]` or `[topic: a | b]` without quotes is a list to YAML: the text as
 * its author wrote it. Plain words stay a list, which is read as from a file.
 */
function hintOf(value: unknown): unknown {
  return Array.isArray(value) && flowOf(value).includes('"') ? `[${value.map(hintItem).join(', ')}]` : value;
}

function hintItem(item: unknown): string {
  if (!isJsonObject(item)) return textOf(item);
  return Object.entries(item)
    .map(([key, value]) => (value === null ? key : `${key}: ${textOf(value)}`))
    .join(', ');
}

/** What has quotes in a list of YAML: it is no text without them, or ends before its end. */
const quoted = /^(?:[\s"'#&*!|>%@`?:]|[-+.]?\d|(?:true|false|null|~)$)|[,[\]{}\n]|: | #|[:\s]$/i;

function textOf(value: unknown): string {
  return typeof value === 'string' && value !== '' && !quoted.test(value) ? value : JSON.stringify(value);
}
