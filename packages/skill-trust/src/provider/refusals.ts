import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { show } from '../problem/refusal.ts';
import type { SignatureProblem } from '../problem/signature-problem.ts';
import type { SkillRequest } from './verified-skill.ts';

type SkillTitle = Pick<SkillRequest, 'name' | 'version'>;

export function refusalError(skill: SkillTitle, problem: SignatureProblem, source: string): SkillError {
  return new SkillError('signature-refused', messageOf(skill, problem), { skill: skill.name, path: problem.path, source });
}

/** Converts a refusal to a diagnostic of a listing, with the code of the problem. */
export function refusalDiagnostic(skill: SkillTitle, problem: SignatureProblem): SkillDiagnostic {
  return {
    code: problem.code,
    severity: 'error',
    message: messageOf(skill, problem),
    skill: skill.name,
    ...(problem.path !== undefined && { path: problem.path }),
  };
}

/** The diagnostic for a skill that is served without a signature. */
export function unsignedDiagnostic({ name }: SkillTitle, unsigned: string): SkillDiagnostic {
  const severity = unsigned === 'untrusted' ? 'warning' : 'info';
  return { code: 'unsigned', severity, message: `The skill ${show(name)} has no signature.`, skill: name };
}

/** For a skill that could not be verified because the source or the signer memory failed. */
export function unavailableDiagnostic({ name }: SkillTitle, error: unknown): SkillDiagnostic {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The skill ${show(name)} could not be verified: ${reason}`;
  return { code: 'signature-unavailable', severity: 'error', message, skill: name };
}

/** A file must be read completely to be verified. */
export function fileTooLarge({ name }: SkillTitle, path: string, maxBytes: number): SkillError {
  const message = `The file ${show(path)} has more than ${maxBytes} bytes. Raise maxFileBytes of verifiedProvider.`;
  return new SkillError('limit-exceeded', message, { skill: name, path });
}

function messageOf({ name, version }: SkillTitle, { code, message }: SignatureProblem): string {
  const title = version === null || version === undefined ? name : `${name}@${version}`;
  return `The skill ${JSON.stringify(title)} is refused (${code}): ${message}`;
}
