import { SkillError, type Skill, type SkillProvider } from '@repertoire/skills-core';
import { deepFreeze, SizedCache } from '@repertoire/skills-core/internal';
import {
  abortable,
  isResourcePath,
  mediaTypeOf,
  type GetSkillOptions,
  type ReadResourceOptions,
  type SkillCallOptions,
  type SkillListing,
  type SkillResource,
} from '@repertoire/skills-core/provider';
import type { UnpackedArchive } from '../archive/unpack-archive.ts';
import type { SkillEntry } from '../discovery/skill-entry.ts';
import { isAbsent, unwrapped } from '../http/http-failure.ts';
import type { LiveDocument } from '../http/live-document.ts';
import { originOf, type AudienceSpace } from './audience-space.ts';
import { Audiences } from './audiences.ts';
import { callerOf } from './caller.ts';
import { httpSkillSettings, type HttpSkillProviderOptions } from './http-skill-provider-options.ts';
import type { Listing } from './listing.ts';
import { loadSkill } from './load-skill.ts';
import { readEntryResource } from './read-entry-resource.ts';

/** A {@link SkillProvider} of a place on the web. */
export type HttpSkillProvider = SkillProvider & { [Symbol.asyncDispose](): Promise<void> };

/**
 * Skills from the web: the discovery index 0.2.0 (`/.well-known/agent-skills/index.json`), the index 0.1.0 (`/.well-known/skills/index.json`), or a
 * `skill-card.json` with files beside it. Untrusted unless the host says otherwise.
 *
 * Listing is one request, and none while the index is fresh. Artifacts are named by their digests: what does not have its digest is not looked at, and what
 * has is read once. A server that is down, slow or answers rubbish never empties a list that was good: the last good copy serves, and a diagnostic says so.
 *
 * The same listing is the same frozen object as long as nothing changed. It is `complete: false` beyond `limits.skills`, and with
 * `levelOne: 'artifact'` while a skill that was never read cannot be reached.
 *
 * `readResource` with the path `SKILL.md` answers the bytes of that file, as the publisher serves it or packed it.
 *
 * Diagnostics of a listing: `index-entry-invalid`, `index-entry-name`, `index-entry-description`, `index-entry-type`, `index-entry-digest`, `index-entry-url`,
 * `index-entry-files`, `index-entry-duplicate`, `index-entry-metadata`, `index-truncated`, `diagnostics-cut`, `card-base`, `stale-index`,
 * `unverified`, `skill-unusable`, `cache-failed`, and those of the parser of cards; of a skill: `stale-file`, `level-one-differs`, `archive-folder`,
 * `archive-litter`, and those of the parser of SKILL.md.
 *
 * @throws {SkillError} `invalid-options`, at once. Calls reject with `source-unavailable` or `timeout` where there is neither an answer nor a good copy;
 * `getSkill` and `readResource` of one skill with `digest-mismatch`, `invalid-skill`, `invalid-path`, `limit-exceeded`, `permission-denied` or
 * `resource-not-found`.
 * @example
 * ```ts
 * import { httpSkillProvider } from '@repertoire/skill-http';
 *
 * const provider = httpSkillProvider({ label: 'acme', url: 'https://skills.acme.example' });
 * for (const { name, description } of (await provider.listSkills()).skills) console.log(`${name}: ${description}`);
 * ```
 */
export function httpSkillProvider(options: HttpSkillProviderOptions): HttpSkillProvider {
  const settings = httpSkillSettings(options);
  const { label, limits } = settings;
  const audiences = new Audiences(settings, {
    artifacts: new SizedCache<UnpackedArchive>(limits.memoryBytes),
    documents: new SizedCache<LiveDocument<null>>(limits.memoryBytes),
  });
  let closed = false;

  const begin = async (signal: AbortSignal | undefined): Promise<AudienceSpace> => {
    signal?.throwIfAborted();
    if (closed) throw disposed(label);
    const caller = await abortable(() => callerOf(settings), signal);
    if (closed) throw disposed(label);
    return audiences.of(caller);
  };

  const list = async (space: AudienceSpace, signal: AbortSignal | undefined, changedSince?: number): Promise<Listing> => {
    try {
      return await space.read(signal, changedSince);
    } catch (error) {
      signal?.throwIfAborted();
      throw asOutage(unwrapped(error), label);
    }
  };

  /** Reads of an entry; where the file is gone or another one, of what a newer index says of it. */
  const withEntry = async <Value>(
    space: AudienceSpace,
    { name, version, signal }: { readonly name: string } & GetSkillOptions,
    read: (entry: SkillEntry) => Promise<Value>,
  ): Promise<Value | null> => {
    const { entries, checkedAt } = await list(space, signal);
    const entry = findEntry(entries, name, version);
    if (entry === null) return null;
    try {
      return await read(entry);
    } catch (error) {
      signal?.throwIfAborted();
      const reason = unwrapped(error);
      if (!isOutOfDate(error)) throw reason;
      const newer = findEntry((await list(space, signal, checkedAt)).entries, name, version);
      if (newer === null) return null;
      if (JSON.stringify(contentOf(newer)) === JSON.stringify(contentOf(entry)))
        throw isAbsent(error) ? goneError(entry, reason, label) : reason;
      try {
        return await read(newer);
      } catch (second) {
        signal?.throwIfAborted();
        throw isAbsent(second) ? goneError(newer, unwrapped(second), label) : unwrapped(second);
      }
    }
  };

  return {
    label,

    async listSkills({ signal }: SkillCallOptions = {}): Promise<SkillListing> {
      const space = await begin(signal);
      return space.publicListing(await list(space, signal));
    },

    async getSkill(name: string, { version, signal }: GetSkillOptions = {}): Promise<Skill | null> {
      const space = await begin(signal);
      return await withEntry(space, { name, version, signal }, async (entry) => {
        const { metadata, body, resources, notes } = await loadSkill(entry, space.context, signal);
        return deepFreeze({ ...metadata, origin: originOf(entry, settings), body, resources, diagnostics: notes });
      });
    },

    async readResource(name: string, path: string, { version, maxBytes, signal }: ReadResourceOptions = {}): Promise<SkillResource | null> {
      const space = await begin(signal);
      if (!isResourcePath(path)) {
        // A source that cannot answer says so, whatever the path.
        await list(space, signal);
        return null;
      }
      return await withEntry(space, { name, version, signal }, async (entry) => {
        const bytes = await readEntryResource(entry, path, space.context, signal);
        return bytes === null
          ? null
          : { path, bytes: bytes.slice(0, maxBytes ?? bytes.length), size: bytes.length, mediaType: mediaTypeOf(path) };
      });
    },

    async [Symbol.asyncDispose]() {
      closed = true;
      audiences.abort(disposed(label));
    },
  };
}

function findEntry(entries: readonly SkillEntry[], name: string, version: string | null | undefined): SkillEntry | null {
  return entries.find((entry) => entry.name === name && (version === undefined || entry.version === version)) ?? null;
}

/** What an entry leads to, in a form that can be compared. */
function contentOf({ content }: SkillEntry): unknown {
  return content.kind === 'files' ? [...content.files] : content;
}

function isOutOfDate(error: unknown): boolean {
  return isAbsent(error) || (SkillError.isInstance(error) && error.code === 'digest-mismatch');
}

function goneError({ name, folder }: SkillEntry, cause: unknown, source: string): SkillError {
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new SkillError(
    'resource-not-found',
    `[skill-http] The skill ${JSON.stringify(name)} is listed, and its files are not there: ${detail}`,
    {
      skill: name,
      path: folder,
      source,
      cause,
    },
  );
}

/** If the list cannot be read, the source is unavailable, whatever the reason. */
function asOutage(error: unknown, source: string): unknown {
  if (!SkillError.isInstance(error) || error.code === 'source-unavailable' || error.code === 'timeout') return error;
  return new SkillError('source-unavailable', error.message, { source, path: error.path, cause: error });
}

function disposed(label: string): SkillError {
  return new SkillError('source-unavailable', `[skill-http] Source "${label}" was disposed. Make a new one with httpSkillProvider.`, {
    source: label,
  });
}
