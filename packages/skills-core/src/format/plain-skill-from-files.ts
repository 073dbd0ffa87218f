import type { SkillDefinition, SkillResourceSource } from '../contract/define-skill.ts';
import { isResourcePath } from '../contract/resource-path.ts';
import { createDiagnosticLog, quote, type SkillMdDiagnostic } from './diagnostic-log.ts';
import { parsePlainSkillMd } from './parse-plain-skill-md.ts';
import type { ParsedSkillMd, ParseSkillMdOptions } from './parsed-skill-md.ts';

/** What `skillFromFiles` returns. */
export interface SkillFromFiles {
  /** For `SkillRegistry`; `null` exactly if a diagnostic has the severity `error`. */
  readonly definition: SkillDefinition | null;
  readonly diagnostics: readonly SkillMdDiagnostic[];
}

/**
 * `skillFromFiles` without the YAML parser, for sources that load it when a file needs it.
 *
 * @returns `null` where only that can tell
 */
export function plainSkillFromFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: ParseSkillMdOptions = {},
): SkillFromFiles | null {
  return skillFromFilesWith(parsePlainSkillMd, files, options);
}

/** @param parse reads a `SKILL.md`; `null` where it cannot tell */
export function skillFromFilesWith(
  parse: (content: string | Uint8Array, options: ParseSkillMdOptions) => ParsedSkillMd | null,
  files: Readonly<Record<string, string | Uint8Array>>,
  options: ParseSkillMdOptions,
): SkillFromFiles | null {
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
  const parsed = parse(files[main] ?? '', options);
  if (parsed === null) return null;
  const { metadata, body, diagnostics } = parsed;

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
