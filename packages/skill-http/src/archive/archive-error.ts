import { SkillError, type SkillErrorCode } from '@repertoire/skills-core';

/** The error for an archive that is refused. */
export function archiveError(code: SkillErrorCode, what: string, cause?: unknown): SkillError {
  return new SkillError(code, `[skill-http] The archive ${what}`, { cause });
}

/** An entry of an archive, as it stands in a message. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name);
}
