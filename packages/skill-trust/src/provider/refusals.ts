import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
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

function messageOf({ name, version }: SkillTitle, { code, message }: SignatureProblem): string {
  const title = version === null || version === undefined ? name : `${name}@${version}`;
  return `The skill ${JSON.stringify(title)} is refused (${code}): ${message}`;
}
