import { deepFreeze } from '../../contract/deep-freeze.ts';
import { boundedDiagnostics, maxDiagnostics } from '../../contract/diagnostic-list.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import type { SkillDiagnostic, SkillListing } from '../../contract/skill-provider.ts';
import type { SkillError } from '../../errors/skill-error.ts';
import type { ComposedSource } from './composed-source.ts';
import type { Composition, SourceAnswer } from './composition.ts';
import { mergeListings, type SourceListing } from './merge-listings.ts';
import { namesReleased, noSourceAnswers, outageDiagnostic, withheld, type SourceFailure } from './source-reports.ts';

/** The listings of a composition. Equal listings of its sources give the same one. */
export class ComposedListings {
  readonly #composition: Composition;
  #last: { readonly parts: readonly SkillListing[]; readonly listing: SkillListing } | undefined;

  constructor(composition: Composition) {
    this.#composition = composition;
  }

  /** @throws {SkillError} `source-unavailable` if no source answers */
  async list(signal: AbortSignal | undefined): Promise<SkillListing> {
    const { label, byPrecedence } = this.#composition;
    const answers = await Promise.all(
      byPrecedence.map((source) =>
        source.list(signal).then(
          (listing): SourceAnswer => ({ source, listing }),
          (error: unknown): SourceAnswer => ({ source, error: error as SkillError }),
        ),
      ),
    );
    signal?.throwIfAborted();
    const failures = answers.flatMap((answer) =>
      answer.listing === undefined ? [{ label: answer.source.label, error: answer.error }] : [],
    );
    if (failures.length > 0 && failures.length === answers.length) throw noSourceAnswers(label, failures);
    const parts = answers.flatMap(({ listing }) => listing ?? []);
    const last = this.#last;
    const isUnchanged = failures.length === 0 && last?.parts.length === parts.length && last.parts.every((part, at) => part === parts[at]);
    if (last !== undefined && isUnchanged) return last.listing;
    const listing = combine(this.#composition, answers, failures);
    this.#last = failures.length === 0 ? { parts, listing } : undefined;
    return listing;
  }
}

function combine(composition: Composition, answers: readonly SourceAnswer[], failures: readonly SourceFailure[]): SkillListing {
  const hidden: SkillDiagnostic[] = [];
  const listings = answers.map((answer, index) => shownOf(composition, answer, index, hidden));
  const merged = mergeListings(listings, composition.labels, composition.onCollision);
  const released = answers.flatMap(({ source, listing }) =>
    listing !== undefined && source.released > 0 ? [namesReleased(source.label, source.released)] : [],
  );
  // A share for each source, so that none crowds out the others.
  const share = Math.ceil(maxDiagnostics / answers.length);
  const theirs = answers.flatMap(({ source, listing }) =>
    boundedDiagnostics(listing?.diagnostics ?? [], share).map((diagnostic) => ({
      ...diagnostic,
      message: `${source.label}: ${diagnostic.message}`,
    })),
  );
  const diagnostics = [...failures.map(outageDiagnostic), ...hidden, ...released, ...merged.diagnostics, ...theirs];
  const complete = hidden.length === 0 && answers.every(({ listing }) => listing?.complete === true);
  const old = answers.flatMap(({ listing }) => Object.entries(listing?.unconfirmed ?? {}));
  return deepFreeze({ skills: merged.skills, diagnostics, complete, ...(old.length > 0 && { unconfirmed: Object.fromEntries(old) }) });
}

/** The skills of one source that no failing source keeps from being listed. */
function shownOf(composition: Composition, { source, listing }: SourceAnswer, index: number, hidden: SkillDiagnostic[]): SourceListing {
  if (listing === undefined) return { label: source.label, skills: [], missed: source.known };
  const trusted = keeperOf(composition, index, true);
  const untrusted = keeperOf(composition, index, false);
  const skills = listing.skills.filter((skill) => (isTrusted(skill) ? trusted : untrusted) === undefined);
  const keeper = trusted ?? untrusted;
  if (keeper !== undefined && skills.length < listing.skills.length)
    hidden.push(withheld(source.label, keeper.label, trusted === undefined));
  return { label: source.label, skills, missed: source.missed };
}

/** The source, if any, that keeps a skill of the source at this position from being listed. */
function keeperOf({ byPrecedence, withholds }: Composition, index: number, trusted: boolean): ComposedSource | undefined {
  return byPrecedence.find(
    (other, at) =>
      (!trusted && other.mayOwnAnyName) ||
      (withholds && at < index && other.failing && !other.heard && (!trusted || other.trusted !== false)),
  );
}
