import { isModelInvocable, type SkillCatalog } from '../catalog/skill-catalog.ts';
import { quoteWord } from '../prompt/source-words.ts';
import { siblingFileText, siblingSkillText } from '../prompt/model-texts.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';

/** A path that leads into the folder of another skill. */
export interface SiblingFile {
  /** Name of that skill, which the model may load. */
  readonly skill: string;
  /** Path inside of it; empty for its folder and its `SKILL.md`. */
  readonly path: string;
}

/** The most characters of a path that are looked at. */
const maxLength = 1_024;

/**
 * The skill that a path leads to, by the name of its folder: `../billing/SKILL.md`,
 * `skills/billing/references/fees.md`. Skills are known by name alone, so nothing is read. `null`
 * if the path names no other skill that the model may load.
 */
export function siblingFile(catalog: Pick<SkillCatalog, 'listed'>, path: string, own: string | undefined): SiblingFile | null {
  if (path.length > maxLength || !path.includes('/')) return null;
  const [file = ''] = path.trim().split(/[#?]/, 1);
  const segments = file.split('/').filter((segment) => !['', '.', '..'].includes(segment));
  const loadable = new Set(catalog.listed.filter(isModelInvocable).map(({ name }) => name));
  // The last match: a library's folder may have the name of a skill.
  const at = segments.findLastIndex((segment) => loadable.has(segment) && segment !== own);
  const skill = segments[at];
  if (skill === undefined) return null;
  const rest = segments.slice(at + 1).join('/');
  return { skill, path: rest === 'SKILL.md' ? '' : rest };
}

/** What a model does with such a path. */
export function siblingText(path: string, { skill, path: inside }: SiblingFile, names: SkillToolNames): string {
  return inside === '' ? siblingSkillText(quoteWord(path), skill, names) : siblingFileText(quoteWord(path), skill, inside, names);
}
