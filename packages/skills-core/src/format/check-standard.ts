import { maxCompatibilityLength, maxDescriptionLength } from '../contract/define-skill.ts';
import { checkSkillName, isPlainName, normalizeSkillName, suggestSkillName, reservedWordIn } from '../contract/skill-name.ts';
import { quote, type DiagnosticLog } from './diagnostic-log.ts';

/** What the checks need of a log. */
export type StandardLog = Pick<DiagnosticLog, 'profile' | 'report'>;

const nameRuleFix = 'Use 1 to 64 lowercase letters, digits and single hyphens.';

/** Reports what a name breaks of the standard, and where it is not understood. Compared form. */
export function checkName(name: string, offset: number | undefined, log: StandardLog): void {
  if (!isPlainName(name)) checkNameClosely(name, offset, log);
  const reserved = reservedWordIn(name);
  if (reserved !== undefined) {
    log.report({
      code: 'name-reserved-word',
      message: `The name ${quote(name)} contains ${quote(reserved)}, which some hosts keep for themselves.`,
      fix: `Leave ${quote(reserved)} out of the name where the skill should work everywhere.`,
      offset,
    });
  }
}

function checkNameClosely(name: string, offset: number | undefined, log: StandardLog): void {
  for (const issue of checkSkillName(name)) {
    if (issue.code === 'name-empty') continue;
    const suggestion = suggestSkillName(name);
    log.report({
      code: issue.code,
      message: `The name ${quote(name)} ${issue.message}.`,
      fix: suggestion === '' ? nameRuleFix : `Rename it, for example to ${quote(suggestion)}.`,
      offset,
    });
  }
  if (/[^\u0000-\u007F]/.test(name)) {
    log.report({
      code: 'name-not-ascii',
      message: `The name ${quote(name)} has characters outside ASCII: valid by the standard's reference library, refused by several clients.`,
      fix: 'Use a-z, 0-9 and hyphens where the skill should work everywhere.',
      offset,
    });
  }
}

/** Reports a name that is not its folder's. Compared in NFKC: macOS has folder names in NFD. */
export function checkDirectoryName(name: string, directoryName: string, offset: number, log: StandardLog): void {
  if (directoryName === name) return;
  const directory = normalizeSkillName(directoryName);
  if (directory === name) return;
  log.report({
    code: 'name-directory-mismatch',
    message: `The name ${quote(name)} is not that of the folder, ${quote(directory)}.`,
    fix: `Rename the folder to ${quote(name)}, or set "name: ${directory}".`,
    offset,
  });
}

/** Reports a long description: `strict` counts it as written, `lenient` trimmed, in code points. */
export function checkDescription(written: string, offset: number, log: StandardLog): void {
  const length = codePoints(log.profile === 'strict' ? written : written.trim(), maxDescriptionLength);
  if (length <= maxDescriptionLength) return;
  log.report({
    code: 'description-too-long',
    message: `The description has ${length} characters; at most ${maxDescriptionLength} are allowed.`,
    fix: 'Say what the skill does and when to use it, and move the rest into the body.',
    offset,
  });
}

/** Reports a `compatibility` of the wrong length. Empty is a warning, as in the reference. */
export function checkCompatibility(written: string, offset: number, log: StandardLog): void {
  const length = codePoints(written, maxCompatibilityLength);
  if (written.trim() === '') {
    log.report({ code: 'compatibility-empty', message: 'compatibility is empty.', fix: 'Remove it, or say what the skill needs.', offset });
  } else if (length > maxCompatibilityLength) {
    log.report({
      code: 'compatibility-too-long',
      message: `compatibility has ${length} characters; at most ${maxCompatibilityLength} are allowed.`,
      fix: 'Name the requirements only, and move the rest into the body.',
      offset,
    });
  }
}

/** Counts code points, without making a list of them where the text is short enough anyway. */
function codePoints(text: string, limit: number): number {
  return text.length <= limit ? text.length : [...text].length;
}
