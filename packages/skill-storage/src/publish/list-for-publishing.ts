import { SkillError, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { refuseFaults } from './refuse-faults.ts';

/** Less than errors where an agent can go on without; a release without what is missing takes it from every reader. */
const partial: ReadonlySet<string> = new Set([
  'root-missing',
  'folder-unreadable',
  'discovery-truncated',
  'index-truncated',
  'listing-truncated',
  'release-truncated',
]);

/**
 * Lists what is to be published, and refuses to publish less than the source has.
 *
 * @throws {SkillError} `source-unavailable` where a source of a composition does not answer; `invalid-skill` where skills cannot be used or are not listed, unless
 * `lenient`
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
  const faults = told.filter(({ code, severity }) => severity === 'error' || partial.has(code));
  refuseFaults(provider, faults, lenient);
  return { listed, diagnostics: faults.map((diagnostic) => ({ ...diagnostic })) };
}
