import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import type { LockedSkill } from '@repertoire/skills-core/internal';
import { lockedSkillTitle, printable } from './skill-lock.ts';

/** Says how a host accepts a difference. */
export const howToAccept = 'Review the change; to accept it, create the lock again with createSkillLock.';

type NamedSkill = Pick<SkillMetadata, 'name' | 'version'>;

/** Reports a skill that the lock does not have. */
export function notPinned(skill: NamedSkill): SkillDiagnostic {
  return difference('skill-not-pinned', 'warning', skill, 'is not pinned, so it is not served');
}

/** Reports a skill that differs from the pinned one. */
export function changed(skill: NamedSkill): SkillDiagnostic {
  return difference('skill-not-as-pinned', 'error', skill, 'is not what was pinned, so it is not served');
}

/** Reports a pinned skill that is gone. */
export function missing(skill: LockedSkill): SkillDiagnostic {
  return difference('skill-missing', 'warning', skill, `is pinned, and "${printable(skill.source)}" no longer has it`);
}

function difference(code: string, severity: SkillDiagnostic['severity'], skill: NamedSkill, what: string): SkillDiagnostic {
  return { code, severity, skill: skill.name, message: `Skill ${lockedSkillTitle(skill)} ${what}.`, fix: howToAccept };
}

export function refused({ message, skill }: SkillDiagnostic, source: string): SkillError {
  return new SkillError('digest-mismatch', `${message} ${howToAccept}`, { ...(skill !== undefined && { skill }), source });
}

/** Returns the error for a listing that differs from the lock. */
export function notAsPinned(label: string, diagnostics: readonly SkillDiagnostic[]): SkillError {
  const reasons = diagnostics.map(({ message }) => `- ${message}`).join('\n');
  return new SkillError('digest-mismatch', `The skills of "${label}" are not exactly those that were pinned:\n${reasons}\n${howToAccept}`, {
    source: label,
  });
}
