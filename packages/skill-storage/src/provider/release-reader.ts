import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { deepFreeze, messageOf, SizedCache } from '@repertoire/skills-core/internal';
import type { SkillListing, SkillOrigin } from '@repertoire/skills-core/provider';
import { FormError } from '../form/json-document.ts';
import { maxPointerBytes, parsePointer, type Pointer } from '../form/pointer.ts';
import { parseRelease, type DocumentReference, type ReleasedSkill } from '../form/release.ts';
import { askStore } from '../store/ask-store.ts';
import { readVerified } from './read-verified.ts';
import type { StorageSettings } from './storage-skill-provider-options.ts';

/** A cached release. Deep-frozen. */
export interface ReadRelease {
  /** With the origin from the host's options. */
  readonly skills: readonly ReleasedSkill[];
  readonly listing: SkillListing;
  /** When its signature expires, in milliseconds since 1970; `Infinity` without one. */
  readonly validUntil: number;
  readonly searchIndex?: DocumentReference | undefined;
}

/** The release that is being served. */
export interface ServedRelease extends ReadRelease {
  readonly id: string;
  /** Ids of the earlier releases, latest first. */
  readonly previous: readonly string[];
}

/** The last check. Plain data: a Worker must not await another request's promise. */
interface Look {
  readonly served: ServedRelease;
  readonly lookedAt: number;
  /** Start order of checks, so that a slow one does not overwrite a later one. */
  readonly turn: number;
  /** Why the newest release is unavailable. */
  readonly failures: readonly SkillDiagnostic[];
  /** The listing of the release with the failures. The same object while nothing changes. */
  readonly listing: SkillListing;
}

/** Follows the pointer of a store. */
export interface ReleaseReader {
  /** The newest available release. @throws {SkillError} `source-unavailable` if there is none */
  current(signal: AbortSignal | undefined): Promise<ServedRelease>;
  /** The result of `listSkills`. @throws {SkillError} as `current` */
  listing(signal: AbortSignal | undefined): Promise<SkillListing>;
  /** A release by its id; `null` if it does not exist. */
  read(id: string, signal: AbortSignal | undefined): Promise<ReadRelease | null>;
  /** Makes the next call check the pointer, and ignores checks that are under way. */
  expire(): void;
  clear(): void;
}

const keptReleases = 2;

const maxSignatureBytes = 1_048_576;

/** Follows the pointer of a store, and reads each immutable release once. */
export function createReleaseReader(settings: StorageSettings): ReleaseReader {
  const { store, keys, label, trusted, limits, staleAfterMs, now, verifyIndex } = settings;
  const origin: SkillOrigin = { kind: 'storage', label, trusted };
  const releases = new SizedCache<ReadRelease>(keptReleases);
  let last: Look | null = null;
  let turns = 0;
  let expired = 0;

  const isValid = ({ validUntil }: ReadRelease): boolean => now() < validUntil;

  /** The signature of a release is stored by its id and may be renewed. */
  const verified = async (id: string, signal: AbortSignal | undefined): Promise<number> => {
    if (verifyIndex === undefined) return Number.POSITIVE_INFINITY;
    const key = keys.signature(id);
    const object = await askStore(store, `give ${key}`, signal, () => store.get(key, { maxBytes: maxSignatureBytes + 1, signal }));
    if (object !== null && object.size > maxSignatureBytes)
      throw new SkillError('signature-refused', `${key} has ${object.size} bytes, too many for a signature.`, { path: key, source: label });
    return (await verifyIndex({ digest: id, signature: object?.bytes ?? null })).validUntil;
  };

  const read = async (id: string, signal: AbortSignal | undefined): Promise<ReadRelease | null> => {
    const kept = releases.get(id);
    if (kept !== undefined && isValid(kept)) return kept;
    const key = keys.release(id);
    const bytes = await readVerified(
      store,
      { key, digest: id, limit: { option: 'limits.releaseBytes', bytes: limits.releaseBytes } },
      signal,
    );
    if (bytes === null) return null;
    const validUntil = await verified(id, signal);
    const { diagnostics, complete, ...parsed } = await usable(key, () => parseRelease(bytes, key, limits.skills));
    const skills = parsed.skills.map(({ metadata, document, content }) => ({
      metadata: { ...metadata, origin },
      document,
      ...(content !== undefined && { content }),
    }));
    const release: ReadRelease = deepFreeze({
      ...(parsed.searchIndex !== undefined && { searchIndex: parsed.searchIndex }),
      skills,
      listing: { skills: skills.map(({ metadata }) => metadata), diagnostics, complete },
      validUntil,
    });
    releases.set(id, release, 1);
    return release;
  };

  const readPointer = async (signal: AbortSignal | undefined): Promise<Pointer> => {
    const key = keys.current;
    const object = await askStore(store, `give ${key}`, signal, () => store.get(key, { maxBytes: maxPointerBytes, signal }));
    if (object === null) {
      throw new SkillError(
        'source-unavailable',
        `Nothing is published in the store ${store.label}: it has no ${key}. Publish skills there (publishSkillsToStorage, or "repertoire publish"), or check the prefix.`,
        { source: label },
      );
    }
    return await usable(key, () => parsePointer(object.bytes));
  };

  /** The release of the pointer, else the newest available one before it. */
  const follow = async (pointer: Pointer, signal: AbortSignal | undefined): Promise<Pick<Look, 'served' | 'failures'>> => {
    const failures: SkillDiagnostic[] = [];
    const before = last !== null && isValid(last.served) ? last.served : undefined;
    const candidates = [pointer.release, ...pointer.previous, ...(before === undefined ? [] : [before.id])];
    for (const id of new Set(candidates)) {
      try {
        const release = id === before?.id ? before : await read(id, signal);
        if (release !== null) {
          const index = pointer.previous.indexOf(id);
          const previous =
            id === pointer.release ? pointer.previous : index < 0 ? (before?.previous ?? []) : pointer.previous.slice(index + 1);
          return { served: { ...release, id, previous }, failures };
        }
        failures.push(notServed(keys.release(id), 'it is not there, or not visible here yet'));
      } catch (error) {
        signal?.throwIfAborted();
        failures.push(notServed(keys.release(id), messageOf(error)));
      }
    }
    throw new SkillError(
      'source-unavailable',
      `No release of "${label}" can be read. ${failures.map(({ message }) => message).join(' ')} Where it was published a moment ago, try again in a minute; else publish again.`,
      { source: label },
    );
  };

  const look = async (signal: AbortSignal | undefined): Promise<Pick<Look, 'served' | 'failures'>> => {
    let pointer: Pointer;
    try {
      pointer = await readPointer(signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (last !== null && isValid(last.served)) return { served: last.served, failures: [stale(keys.current, messageOf(error))] };
      if (SkillError.isInstance(error) && error.code === 'source-unavailable') throw error;
      throw new SkillError('source-unavailable', `Source "${label}" cannot be read. ${messageOf(error)}`, { source: label, cause: error });
    }
    return await follow(pointer, signal);
  };

  const latest = async (signal: AbortSignal | undefined): Promise<Look> => {
    signal?.throwIfAborted();
    const beganAt = now();
    // If the clock was set back, the age is unknown.
    if (last !== null && beganAt >= last.lookedAt && beganAt - last.lookedAt < staleAfterMs && isValid(last.served)) return last;
    const turn = (turns += 1);
    const found = await look(signal);
    // A release during a slow check must be noticed soon; a store that is down left alone.
    const lookedAt = found.failures.length === 0 ? beganAt : now();
    const mine: Look = { ...found, lookedAt, turn, listing: withFailures(found, last) };
    if (turn > expired && (last === null || last.turn < turn)) last = mine;
    return mine;
  };

  return {
    read,

    current: async (signal) => (await latest(signal)).served,
    listing: async (signal) => (await latest(signal)).listing,

    expire() {
      expired = turns;
      if (last !== null) last = { ...last, lookedAt: Number.NEGATIVE_INFINITY };
    },

    clear() {
      releases.clear();
      last = null;
    },
  };
}

/** The listing with the failures; the previous object if it is equal. */
function withFailures({ served, failures }: Pick<Look, 'served' | 'failures'>, before: Look | null): SkillListing {
  const { listing } = served;
  if (failures.length === 0) return listing;
  const isSame = before?.served.listing === listing && JSON.stringify(before.failures) === JSON.stringify(failures);
  return isSame ? before.listing : deepFreeze({ ...listing, diagnostics: [...failures, ...listing.diagnostics] });
}

/** Rejected data makes the source unavailable. */
async function usable<Value>(key: string, parse: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await parse();
  } catch (cause) {
    if (!(cause instanceof FormError)) throw cause;
    throw new SkillError('source-unavailable', `${key} ${cause.message}. Publish the skills again.`, { path: key, cause });
  }
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
