import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { deepFreeze, messageOf, SizedCache } from '@repertoire/skills-core/internal';
import type { SkillListing } from '@repertoire/skills-core/provider';
import type { Pointer } from '../form/pointer.ts';
import { readPointer, readRelease, type ReadRelease } from './read-release.ts';
import type { StorageSettings } from './storage-skill-provider-options.ts';

/** The release that is being served. */
export interface ServedRelease extends ReadRelease {
  readonly id: string;
  /** Ids of the earlier releases, latest first. */
  readonly previous: readonly string[];
}

/** What a check found. */
interface Found {
  readonly served: ServedRelease;
  /** Why the newest release is unavailable. */
  readonly failures: readonly SkillDiagnostic[];
  /** When the store last answered, if it did not now. */
  readonly unconfirmed?: number | undefined;
}

/** The last check. Plain data: a Worker must not await another request's promise. */
interface Look extends Found {
  readonly lookedAt: number;
  /** When the store last answered. */
  readonly answeredAt: number;
  /** Start order of checks, so that a slow one does not overwrite a later one. */
  readonly turn: number;
  /** The listing of the release with the failures. The same object while nothing changes. */
  readonly listing: SkillListing;
}

const keptReleases = 2;

/** Follows the pointer of a store, and reads each immutable release once. */
export class ReleaseReader {
  readonly #settings: StorageSettings;
  readonly #releases = new SizedCache<ReadRelease>(keptReleases);
  #last: Look | null = null;
  #turns = 0;
  #expired = 0;

  constructor(settings: StorageSettings) {
    this.#settings = settings;
  }

  /** The newest available release. @throws {SkillError} `source-unavailable` if there is none */
  async current(signal: AbortSignal | undefined): Promise<ServedRelease> {
    return (await this.#latest(signal)).served;
  }

  /** The result of `listSkills`. @throws {SkillError} as `current` */
  async listing(signal: AbortSignal | undefined): Promise<SkillListing> {
    return (await this.#latest(signal)).listing;
  }

  /** A release by its id; `null` if it does not exist. */
  async read(id: string, signal: AbortSignal | undefined): Promise<ReadRelease | null> {
    const kept = this.#releases.get(id);
    if (kept !== undefined && this.#isValid(kept)) return kept;
    const release = await readRelease(this.#settings, id, signal);
    if (release !== null) this.#releases.set(id, release, 1);
    return release;
  }

  /** Makes the next call check the pointer, and ignores checks that are under way. */
  expire(): void {
    this.#expired = this.#turns;
    if (this.#last !== null) this.#last = { ...this.#last, lookedAt: Number.NEGATIVE_INFINITY };
  }

  clear(): void {
    this.#releases.clear();
    this.#last = null;
  }

  async #latest(signal: AbortSignal | undefined): Promise<Look> {
    signal?.throwIfAborted();
    const { now, staleAfterMs } = this.#settings;
    const beganAt = now();
    const last = this.#last;
    // If the clock was set back, the age is unknown.
    if (last !== null && beganAt >= last.lookedAt && beganAt - last.lookedAt < staleAfterMs && this.#isValid(last.served)) return last;
    const turn = (this.#turns += 1);
    const found = await this.#look(signal);
    // A release during a slow check must be noticed soon; a store that is down left alone.
    const lookedAt = found.failures.length === 0 ? beganAt : now();
    const answeredAt = found.unconfirmed ?? beganAt;
    const mine: Look = { ...found, lookedAt, answeredAt, turn, listing: withFailures(found, this.#last, this.#settings.label) };
    if (turn > this.#expired && (this.#last === null || this.#last.turn < turn)) this.#last = mine;
    return mine;
  }

  async #look(signal: AbortSignal | undefined): Promise<Found> {
    const { label, store } = this.#settings;
    let pointer: Pointer;
    try {
      pointer = await readPointer(this.#settings, signal);
    } catch (error) {
      signal?.throwIfAborted();
      const served = this.#usableServed();
      if (served !== undefined) {
        // `expire` lets the next call look again; when the store answered, it does not change.
        return {
          served,
          failures: [stale(store.keys.current, messageOf(error))],
          unconfirmed: this.#last?.answeredAt ?? this.#settings.now(),
        };
      }
      if (SkillError.isInstance(error) && error.code === 'source-unavailable') throw error;
      throw new SkillError('source-unavailable', `Source "${label}" cannot be read. ${messageOf(error)}`, { source: label, cause: error });
    }
    return await this.#follow(pointer, signal);
  }

  /** The release of the pointer, else the newest available one before it. */
  async #follow(pointer: Pointer, signal: AbortSignal | undefined): Promise<Found> {
    const { label, store } = this.#settings;
    const failures: SkillDiagnostic[] = [];
    const before = this.#usableServed();
    const candidates = [pointer.release, ...pointer.previous, ...(before === undefined ? [] : [before.id])];
    for (const id of new Set(candidates)) {
      try {
        const release = id === before?.id ? before : await this.read(id, signal);
        if (release !== null) {
          const index = pointer.previous.indexOf(id);
          const previous =
            id === pointer.release ? pointer.previous : index < 0 ? (before?.previous ?? []) : pointer.previous.slice(index + 1);
          return { served: { ...release, id, previous }, failures };
        }
        failures.push(notServed(store.keys.release(id), 'it is not there, or not visible here yet'));
      } catch (error) {
        signal?.throwIfAborted();
        failures.push(notServed(store.keys.release(id), messageOf(error)));
      }
    }
    throw new SkillError(
      'source-unavailable',
      `No release of "${label}" can be read. ${failures.map(({ message }) => message).join(' ')} Where it was published a moment ago, try again in a minute; else publish again.`,
      { source: label },
    );
  }

  #usableServed(): ServedRelease | undefined {
    return this.#last !== null && this.#isValid(this.#last.served) ? this.#last.served : undefined;
  }

  #isValid({ validUntil }: ReadRelease): boolean {
    return this.#settings.now() < validUntil;
  }
}

/** The listing with the failures; the previous object if it is equal. */
function withFailures({ served, failures, unconfirmed }: Found, before: Look | null, label: string): SkillListing {
  const { listing } = served;
  if (failures.length === 0) return listing;
  const isSame = before?.served.listing === listing && JSON.stringify(before.failures) === JSON.stringify(failures);
  if (isSame) return before.listing;
  const since = unconfirmed === undefined ? {} : { unconfirmed: { [label]: unconfirmed } };
  return deepFreeze({ ...listing, ...since, diagnostics: [...failures, ...listing.diagnostics] });
}

function notServed(path: string, why: string): SkillDiagnostic {
  return {
    code: 'release-unavailable',
    severity: 'warning',
    message: `${path} cannot serve: ${why}. The release before it serves.`,
    path,
    fix: 'Wait a minute where it was published just now. Else publish the skills again.',
  };
}

function stale(path: string, why: string): SkillDiagnostic {
  return {
    code: 'stale-release',
    severity: 'warning',
    message: `The last good release serves, since nothing newer could be looked for: ${why}`,
    path,
    fix: 'Fix the store; nothing has to be done here.',
  };
}
