import type { SkillDiagnostic } from '@repertoire/skills-core';
import { defaultLimits } from '../provider/storage-skill-provider-options.ts';

/**
 * Reports a release that readers with default limits refuse, which a publisher would not notice.
 */
export function beyondLimits(bytes: number, skills: number): SkillDiagnostic[] {
  const tell = (what: string, limit: 'releaseBytes' | 'skills', outcome: string): SkillDiagnostic => ({
    code: 'release-beyond-limits',
    severity: 'warning',
    message: `The release has ${what}, and a reader takes ${defaultLimits[limit]} unless limits.${limit} of storageSkillProvider is raised; others ${outcome}.`,
    fix: `Raise limits.${limit} of every reader, or publish less under one prefix.`,
  });
  return [
    ...(bytes > defaultLimits.releaseBytes ? [tell(`${bytes} bytes`, 'releaseBytes', 'stay with the release before')] : []),
    ...(skills > defaultLimits.skills ? [tell(`${skills} skills`, 'skills', 'leave out the rest')] : []),
  ];
}
