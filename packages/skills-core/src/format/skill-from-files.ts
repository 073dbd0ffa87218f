import type { SkillDefinition, SkillResourceSource } from '../contract/define-skill.ts';
import { isResourcePath } from '../contract/resource-path.ts';
import { createDiagnosticLog, quote, type SkillMdDiagnostic } from './diagnostic-log.ts';
import { parseSkillMd } from './parse-skill-md.ts';
import type { ParseSkillMdOptions } from './parsed-skill-md.ts';

/** What {@link skillFromFiles} returns. */
export interface SkillFromFiles {
  /** For `SkillRegistry`; `null` exactly if a diagnostic has the severity `error`. */
  readonly definition: SkillDefinition | null;
  readonly diagnostics: readonly SkillMdDiagnostic[];
}

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
  const log = createDiagnosticLog(options.profile ?? 'lenient');
  const paths = Object.keys(files);
  const main = paths.includes('SKILL.md') ? 'SKILL.md' : paths.filter((path) => path.toLowerCase() === 'skill.md').sort()[0];
  if (main === undefined) {
    log.report({ code: 'skill-file-missing', message: 'There is no SKILL.md among the files.', fix: 'Add one, at the top of the folder.' });
    return { definition: null, diagnostics: log.diagnostics(options.directoryName, options.path) };
  }
  if (main !== 'SKILL.md') {
    log.report({ code: 'skill-file-name', message: `The file is named ${quote(main)}.`, fix: 'Rename it to SKILL.md.' });
  }
  const { metadata, body, diagnostics } = parseSkillMd(files[main] ?? '', options);

  // Without a prototype, as the paths are anybody's.
  const resources = Object.create(null) as Record<string, SkillResourceSource>;
  for (const path of paths) {
    if (path === main) continue;
    const normalized = path.normalize('NFC');
    if (isResourcePath(normalized) && !(normalized in resources)) {
      resources[normalized] = files[path] ?? '';
    } else {
      log.report({
        code: 'resource-path-invalid',
        message: `The file ${quote(path)} was left out.`,
        fix: 'Use one relative path a file, with "/" and without "..".',
      });
    }
  }
  const all = [...log.diagnostics(metadata?.name ?? options.directoryName, options.path), ...diagnostics];
  return { definition: metadata === null ? null : { ...metadata, body, resources, skillMd: files[main] ?? '' }, diagnostics: all };
}
