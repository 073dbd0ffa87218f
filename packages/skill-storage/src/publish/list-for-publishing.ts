import { SkillError, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { readListing, type SkillListing } from '@repertoire/skills-core/provider';
import { refuseFaults } from './refuse-faults.ts';

/** What may be missing from a release, if the host allows it. */
export interface PublishTolerance {
  /** Whether unusable skills may be left out. */
  readonly lenient: boolean;
  /** Whether the source's listing may be incomplete. */
  readonly allowIncomplete: boolean;
}

const maxNamed = 3;

/**
 * Lists what is to be published. It refuses to publish less than the source has.
 *
 * @throws {SkillError} `source-unavailable` for an incomplete listing, unless `allowIncomplete`;
 *   `invalid-skill` for unusable skills, unless `lenient`
 */
export async function listForPublishing(
  provider: SkillProvider,
  { lenient, allowIncomplete }: PublishTolerance,
  signal: AbortSignal | undefined,
): Promise<{ readonly listed: readonly SkillMetadata[]; readonly diagnostics: SkillDiagnostic[] }> {
  const listing = await readListing(provider, { signal });
  if (!listing.complete && !allowIncomplete) throw incomplete(provider, listing);
  const faults = listing.diagnostics.filter(({ severity }) => severity === 'error');
  if (listing.complete) refuseFaults(provider, faults, lenient);
  const told = listing.complete ? faults : listing.diagnostics.filter(({ severity }) => severity !== 'info');
  return { listed: listing.skills, diagnostics: [...told] };
}

/** An incomplete listing would replace the complete release. */
function incomplete({ label }: SkillProvider, { diagnostics }: SkillListing): SkillError {
  const reasons = diagnostics.filter(({ severity }) => severity !== 'info').map(({ message }) => message);
  const more = reasons.length > maxNamed ? ` And ${reasons.length - maxNamed} more.` : '';
  return new SkillError(
    'source-unavailable',
    `The skills of "${label}" are not published, since it could not list all of them. ${[...reasons.slice(0, maxNamed), ''].join(' ')}${more}Fix that, or publish what there is with \`allowIncomplete\` (--allow-incomplete).`,
    { source: label },
  );
}
