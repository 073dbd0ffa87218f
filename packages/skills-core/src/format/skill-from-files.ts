import { parseSkillMd } from './parse-skill-md.ts';
import type { ParseSkillMdOptions } from './parsed-skill-md.ts';
import { skillFromFilesWith, type SkillFromFiles } from './plain-skill-from-files.ts';

/**
 * Makes a skill in code of the files of its folder: what archives, bundlers and tests have.
 * `SKILL.md` becomes level 1 and the body, all else a resource. It never throws; files whose paths
 * cannot lie inside a skill are left out, which is reported.
 *
 * @param files contents by path, relative to the folder of the skill, with `/`
 * @example
 * ```ts
 * import { SkillRegistry } from '@repertoire/skills-core';
 * import { skillFromFiles } from '@repertoire/skills-core/skill-md';
 *
 * const { definition } = skillFromFiles({
 *   'SKILL.md': '---\nname: haiku\ndescription: Writes haiku.\n---\nCount twice; see references/forms.md.',
 *   'references/forms.md': '# Forms',
 * });
 * export const provider = new SkillRegistry({ skills: definition === null ? [] : [definition] });
 * ```
 */
export function skillFromFiles(files: Readonly<Record<string, string | Uint8Array>>, options: ParseSkillMdOptions = {}): SkillFromFiles {
  // The parser can always tell.
  return skillFromFilesWith(parseSkillMd, files, options) as SkillFromFiles;
}
