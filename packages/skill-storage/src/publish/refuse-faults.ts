import { SkillError, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';

const maxNamed = 3;

/**
 * Rejects a source with faults.
 *
 * @throws {SkillError} `invalid-skill` where there are faults, unless `lenient`
 */
export function refuseFaults({ label }: SkillProvider, faults: readonly SkillDiagnostic[], lenient: boolean): void {
  if (faults.length === 0 || lenient) return;
  const named = faults
    .slice(0, maxNamed)
    .map(({ message, path }) => (path === undefined || message.includes(path) ? message : `${path}: ${message}`));
  const more = faults.length > maxNamed ? ` And ${faults.length - maxNamed} more.` : '';
  throw new SkillError(
    'invalid-skill',
    `The skills of "${label}" are not published, since not all of them can be used: ${named.join(' ')}${more} Fix that, or publish the others with \`lenient\`.`,
    { source: label },
  );
}
