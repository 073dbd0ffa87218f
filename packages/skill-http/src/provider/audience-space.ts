import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { deepFreeze, SizedCache } from '@repertoire/skills-core/internal';
import { sha256Hex, type SkillListing, type SkillOrigin } from '@repertoire/skills-core/provider';
import type { UnpackedArchive } from '../archive/unpack-archive.ts';
import type { SkillEntry } from '../discovery/skill-entry.ts';
import { Flights } from '../http/flights.ts';
import { answerCache } from '../http/http-cache.ts';
import type { LiveDocument } from '../http/live-document.ts';
import type { Caller } from './caller.ts';
import type { ArchiveContent } from './content-of-entry.ts';
import { catalogDiagnostics, createCatalog, type Catalog } from './catalog.ts';
import type { HttpSkillSettings } from './http-skill-provider-options.ts';
import { artifactListing, indexListing, type Listing, type ReadListing } from './listing.ts';
import type { LoadContext } from './load-skill.ts';

/** Everything that was read for one audience. */
export interface AudienceSpace {
  readonly context: LoadContext;
  readonly flights: Flights;
  readonly read: ReadListing;
  /** Contents that the server did not have, with the time when it was asked. */
  readonly gone: SizedCache<number>;
  /** The listing for callers: the same frozen object as long as it says the same. */
  publicListing(listing: Listing): SkillListing;
  /** Uses the headers of a later call from now on. */
  adopt(caller: Caller): void;
}

/** What all spaces of a provider share: memory, which is bounded for all of them together. */
export interface SharedMemory {
  readonly artifacts: SizedCache<UnpackedArchive>;
  readonly documents: SizedCache<LiveDocument<null>>;
  /** Keyed by the digest of the archive, so audiences can share it. */
  readonly contents: SizedCache<ArchiveContent>;
}

/** Only running conversations ask for such contents, so there are few. */
const maxGone = 1_000;

/** Makes the space of an audience, with nothing in it. */
export function createAudienceSpace(settings: HttpSkillSettings, memory: SharedMemory, first: Caller): AudienceSpace {
  const { label, limits } = settings;
  const flights = new Flights();
  let caller = first;
  let cacheFailure: unknown;
  const context: LoadContext = {
    http: { ...settings.http, headers: () => caller.headers() },
    rules: settings.rules,
    flights,
    cache: answerCache(
      settings.cache,
      once(() => sha256Hex(JSON.stringify([label, first.key]))),
      (error) => (cacheFailure = error),
    ),
    waitUntil: settings.waitUntil,
    limits,
    profile: settings.profile,
    scope: first.key,
    ...memory,
  };
  const catalog = createCatalog(settings, context);
  let last: { readonly entries: readonly SkillEntry[]; readonly rest: string; readonly listing: SkillListing } | null = null;

  return {
    context,
    flights,
    read: settings.levelOne === 'index' ? indexListing(catalog) : artifactListing(catalog, context),
    gone: new SizedCache<number>(maxGone),

    adopt(later) {
      caller = later;
    },

    publicListing({ entries, diagnostics: left, complete }) {
      const diagnostics = [...catalogDiagnostics(catalog, settings), ...left, ...cacheDiagnostics(label, cacheFailure)];
      const rest = JSON.stringify([complete, diagnostics]);
      const isSameSkills = last?.entries === entries;
      if (last !== null && isSameSkills && last.rest === rest) return last.listing;
      const skills = last !== null && isSameSkills ? last.listing.skills : entries.map((entry) => withOrigin(entry, settings));
      last = { entries, rest, listing: deepFreeze({ skills, diagnostics, complete, ...unconfirmedSince(catalog, label) }) };
      return last.listing;
    },
  };
}

/** When the server last answered, if its last good copy serves now. */
function unconfirmedSince({ copy, failure }: Catalog, label: string): Pick<SkillListing, 'unconfirmed'> {
  return copy === null || failure === null ? {} : { unconfirmed: { [label]: copy.checkedAt } };
}

/** Where a skill came from, by what the host configured. */
export function originOf({ folder }: SkillEntry, { label, trusted }: Pick<HttpSkillSettings, 'label' | 'trusted'>): SkillOrigin {
  return { kind: 'http', label, uri: folder, trusted };
}

function withOrigin(entry: SkillEntry, settings: HttpSkillSettings): SkillMetadata {
  return { ...entry.metadata, origin: originOf(entry, settings) };
}

function cacheDiagnostics(label: string, failure: unknown): SkillDiagnostic[] {
  if (failure === undefined) return [];
  return [
    {
      code: 'cache-failed',
      severity: 'warning',
      message: `The cache of "${label}" failed, and was done without: ${String(failure)}.`,
    },
  ];
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
