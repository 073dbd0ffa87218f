import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { SizedCache } from '@repertoire/skills-core/provider';
import { FormError } from '../form/json-document.ts';
import { maxPointerBytes, parsePointer, type Pointer } from '../form/pointer.ts';
import { parseRelease, type ParsedRelease } from '../form/release.ts';
import { askStore } from '../store/ask-store.ts';
import { readVerified } from './read-verified.ts';
import type { StorageSettings } from './storage-skill-provider-options.ts';

/** The release that serves. */
export interface ServedRelease extends ParsedRelease {
  readonly id: string;
  /** Ids of those before it, last first. */
  readonly previous: readonly string[];
}

/** What was found at the last look, and when. Plain data: a promise of one request may never be awaited by another one of a Worker. */
interface Look {
  readonly served: ServedRelease;
  readonly lookedAt: number;
  /** Order of the beginnings of looks, so that one that took long does not undo a later one. */
  readonly turn: number;
  /** Why the newest could not be had. */
  readonly failures: readonly SkillDiagnostic[];
}

/** Follows the pointer of a store. */
export interface ReleaseReader {
  /** The newest release that can be had. @throws {SkillError} `source-unavailable` where there is none at all */
  current(signal: AbortSignal | undefined): Promise<ServedRelease>;
  /** A release by its id; `null` where it is not there. */
  read(id: string, signal: AbortSignal | undefined): Promise<ParsedRelease | null>;
  /** What there is to say of the last look. */
  diagnostics(): readonly SkillDiagnostic[];
  clear(): void;
}

/** Releases that are kept in memory: the one that serves, and one to step back to. */
const keptReleases = 2;

/** Follows the pointer of a store: asks for it when it is due, reads releases, which never change, once, and holds on to what serves. */
export function createReleaseReader(settings: StorageSettings): ReleaseReader {
  const { store, keys, label, limits, staleAfterMs, now } = settings;
  const releases = new SizedCache<ParsedRelease>(keptReleases);
  let last: Look | null = null;
  let turns = 0;

  const read = async (id: string, signal: AbortSignal | undefined): Promise<ParsedRelease | null> => {
    const kept = releases.get(id);
    if (kept !== undefined) return kept;
    const key = keys.release(id);
    const bytes = await readVerified(
      store,
      { key, digest: id, limit: { option: 'limits.releaseBytes', bytes: limits.releaseBytes } },
      signal,
    );
    if (bytes === null) return null;
    const release = usable(key, () => parseRelease(bytes, key, limits.skills));
    releases.set(id, release, 1);
    return release;
  };

  const readPointer = async (signal: AbortSignal | undefined): Promise<Pointer> => {
    const key = keys.current;
    const object = await askStore(store, `give ${key}`, signal, () => store.get(key, { maxBytes: maxPointerBytes, signal }));
    if (object === null) {
      throw new SkillError(
        'source-unavailable',
        `Nothing is published in the store ${store.label}: it has no ${key}. Publish skills there (publishSkills, or "repertoire publish"), or check the prefix.`,
        { source: label },
      );
    }
    return usable(key, () => parsePointer(object.bytes));
  };

  /** The release that the pointer names, else the newest before it that is there, else the one that serves. */
  const follow = async (pointer: Pointer, signal: AbortSignal | undefined): Promise<Pick<Look, 'served' | 'failures'>> => {
    const failures: SkillDiagnostic[] = [];
    const before = last?.served;
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
      if (last !== null) return { served: last.served, failures: [stale(keys.current, messageOf(error))] };
      if (SkillError.isInstance(error) && error.code === 'source-unavailable') throw error;
      throw new SkillError('source-unavailable', `Source "${label}" cannot be read. ${messageOf(error)}`, { source: label, cause: error });
    }
    return await follow(pointer, signal);
  };

  return {
    read,

    async current(signal) {
      signal?.throwIfAborted();
      const beganAt = now();
      // A clock that was set back tells no age.
      if (last !== null && beganAt >= last.lookedAt && beganAt - last.lookedAt < staleAfterMs) return last.served;
      const turn = (turns += 1);
      const found = await look(signal);
      // What was published while the store was slow is news; a store that is down is left alone from when it had answered.
      const lookedAt = found.failures.length === 0 ? beganAt : now();
      if (last === null || last.turn < turn) last = { ...found, lookedAt, turn };
      return found.served;
    },

    diagnostics() {
      return last === null ? [] : [...last.failures, ...last.served.diagnostics];
    },

    clear() {
      releases.clear();
      last = null;
    },
  };
}

/** Runs a parser; what it refuses is a source that cannot be used. */
function usable<Value>(key: string, parse: () => Value): Value {
  try {
    return parse();
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
    fix: 'Mend the store; nothing has to be done here.',
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
