import { SkillError, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';

/** How many faults an error names. */
const maxNamed = 3;

/**
 * Lists what is to be published, and refuses to publish less than the source has.
 *
 * @throws {SkillError} `source-unavailable` where a source of a composition does not answer; `invalid-skill` where skills cannot be used, unless `lenient`
 */
export async function listForPublishing(
  provider: SkillProvider,
  lenient: boolean,
  signal: AbortSignal | undefined,
): Promise<{ listed: readonly SkillMetadata[]; diagnostics: SkillDiagnostic[] }> {
  const listed = await provider.listSkills({ signal });
  const told = (await provider.diagnostics?.({ signal })) ?? [];
  // Half a source would replace the whole one; that is never meant.
  const outage = told.find(({ code }) => code === 'source-failed' || code === 'source-timeout');
  if (outage !== undefined) {
    throw new SkillError(
      'source-unavailable',
      `The skills of "${provider.label}" are not published, since not all of them answer. ${outage.message}`,
      {
        source: provider.label,
      },
    );
  }
  const errors = told.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 && !lenient) {
    const named = errors.slice(0, maxNamed).map(({ message, path }) => (path === undefined ? message : `${path}: ${message}`));
    const more = errors.length > maxNamed ? ` And ${errors.length - maxNamed} more.` : '';
    throw new SkillError(
      'invalid-skill',
      `The skills of "${provider.label}" are not published, since some of them cannot be used: ${named.join(' ')}${more} Mend them, or publish the others with \`lenient\`.`,
      { source: provider.label },
    );
  }
  return { listed, diagnostics: errors.map((diagnostic) => ({ ...diagnostic })) };
}
