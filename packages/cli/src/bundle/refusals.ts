import { SkillError, type SkillDiagnostic, type SkillErrorCode } from '@repertoire/skills-core';

/** Why something is not in the bundle. `failed`: a whole root. `refused`: one skill. */
export interface Refusal {
  readonly kind: 'failed' | 'refused';
  readonly error: SkillError;
}

/** Warnings of `skill-fs` that fail a build, which must not lose a skill. */
const missingSkills: Readonly<Record<string, { readonly kind: Refusal['kind']; readonly code: SkillErrorCode; readonly fix?: string }>> = {
  'root-missing': { kind: 'failed', code: 'source-unavailable', fix: 'Make the folder, or correct the path.' },
  'root-unreadable': { kind: 'failed', code: 'source-unavailable' },
  'folder-unreadable': { kind: 'refused', code: 'source-unavailable' },
  'discovery-truncated': { kind: 'refused', code: 'limit-exceeded' },
  'link-outside-root': { kind: 'refused', code: 'permission-denied' },
  'link-outside-skill': { kind: 'refused', code: 'permission-denied' },
  'resources-truncated': { kind: 'refused', code: 'limit-exceeded' },
  'skill-shadowed': { kind: 'refused', code: 'duplicate-skill' },
  'skill-duplicate': { kind: 'refused', code: 'duplicate-skill' },
  'skill-too-large': { kind: 'refused', code: 'limit-exceeded' },
  'skill-unreadable': { kind: 'refused', code: 'source-unavailable' },
};

/** Makes an error of a diagnostic that says that something is missing; `null` for any other. */
export function refusalOf({ code, severity, message, fix, skill, path }: SkillDiagnostic): Refusal | null {
  const known = Object.hasOwn(missingSkills, code) ? missingSkills[code] : undefined;
  if (known === undefined && severity !== 'error') return null;
  const text = [message, known === undefined ? `(${code})` : '', known?.fix ?? fix ?? ''].filter((part) => part !== '').join(' ');
  return { kind: known?.kind ?? 'refused', error: new SkillError(known?.code ?? 'invalid-skill', text, { skill, path }) };
}
