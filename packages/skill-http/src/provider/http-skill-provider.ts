import { SkillError, type Skill, type SkillProvider } from '@repertoire/skills-core';
import { deepFreeze, messageOf, SizedCache } from '@repertoire/skills-core/internal';
import {
  abortable,
  isResourcePath,
  mediaTypeOf,
  sha256Hex,
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
import { contentOfEntry, type ArchiveContent } from './content-of-entry.ts';
import { callerOf } from './caller.ts';
import { httpSkillSettings, type HttpSkillProviderOptions } from './http-skill-provider-options.ts';
import type { Listing } from './listing.ts';
import { loadSkill } from './load-skill.ts';
import { readEntryResource } from './read-entry-resource.ts';

const maxKnownFiles = 100_000;
/** Few: those of conversations that go on. */
const maxGone = 1_000;

/** A {@link SkillProvider} of a place on the web. */
export type HttpSkillProvider = SkillProvider & { [Symbol.asyncDispose](): Promise<void> };

/**
 * Skills from the web: the discovery index 0.2.0 (`/.well-known/agent-skills/index.json`), the
 * index 0.1.0 (`/.well-known/skills/index.json`), or a `skill-card.json` with files beside it.
 * Untrusted unless the host says otherwise.
 *
 * Listing is one request, and none while the index is fresh. Artifacts are named by their digests:
 * what does not have its digest is not looked at, and what has is read once. A server that is down,
 * slow or answers rubbish never empties a list that was good: the last good copy serves, and a
 * diagnostic says so.
 *
 * The same listing is the same frozen object as long as nothing changed. It is `complete: false`
 * beyond `limits.skills`, and with `levelOne: 'artifact'` while a skill that was never read cannot
 * be reached.
 *
 * `content` is known from the index, where that has a digest for each file, and after the download
 * for an archive. The place of a skill is its name: that is what an index identifies it by, as URLs
 * of artifacts change with what they hold.
 *
 * `readResource` with the path `SKILL.md` answers the bytes of that file, as the publisher serves
 * it or packed it.
 *
 * Diagnostics of a listing: `index-entry-invalid`, `index-entry-name`, `index-entry-description`,
 * `index-entry-type`, `index-entry-digest`, `index-entry-url`, `index-entry-files`,
 * `index-entry-duplicate`, `index-entry-metadata`, `index-truncated`, `diagnostics-cut`,
 * `card-base`, `stale-index`, `unverified`, `skill-unusable`, `cache-failed`, and those of the
 * parser of cards; of a skill: `stale-file`, `level-one-differs`, `archive-folder`,
 * `archive-litter`, and those of the parser of SKILL.md.
 *
 * @throws {SkillError} `invalid-options`, at once. Calls reject with `source-unavailable` or
 *   `timeout` where there is neither an answer nor a good copy; `getSkill` and `readResource` of
 *   one skill with `digest-mismatch`, `invalid-skill`, `invalid-path`, `limit-exceeded`,
 *   `permission-denied` or `resource-not-found`.
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
    contents: new SizedCache<ArchiveContent>(maxKnownFiles),
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

  /** Contents that a listing does not have, by when the server was asked. */
  const goneFrom = new WeakMap<AudienceSpace, SizedCache<number>>();

  /** An entry as listed, or as the server lists it now if another content is asked for. */
  const find = async (
    space: AudienceSpace,
    name: string,
    options: GetSkillOptions,
  ): Promise<{ entry: SkillEntry | null; checkedAt: number }> => {
    const { content, place = name, signal } = options;
    const { entries, checkedAt } = await list(space, signal);
    const entry = place === name ? findEntry(entries, name, options.version) : null;
    if (content === undefined || place !== name) return { entry, checkedAt };
    const fits = async (candidate: SkillEntry | null): Promise<boolean> => {
      const known = candidate === null ? undefined : await contentOfEntry(candidate, space.context.contents);
      // What an archive holds is told after it was read.
      return candidate !== null && (known === content || (known === undefined && candidate.content.kind === 'archive'));
    };
    if (await fits(entry)) return { entry, checkedAt };
    // The server was asked since: a conversation may ask for what is gone at every step.
    const key = JSON.stringify([name, options.version ?? null, content]);
    const gone = goneFrom.get(space) ?? new SizedCache<number>(maxGone);
    goneFrom.set(space, gone);
    if (gone.get(key) === checkedAt) return { entry: null, checkedAt };
    const newer = await list(space, signal, checkedAt);
    const renewed = findEntry(newer.entries, name, options.version);
    if (await fits(renewed)) return { entry: renewed, checkedAt: newer.checkedAt };
    gone.set(key, newer.checkedAt, 1);
    return { entry: null, checkedAt: newer.checkedAt };
  };

  /** Reads of an entry; where the file is gone or another one, of what a newer index says of it. */
  const withEntry = async <Value>(
    space: AudienceSpace,
    name: string,
    options: GetSkillOptions,
    read: (entry: SkillEntry) => Promise<Value>,
  ): Promise<Value | null> => {
    const { version, signal } = options;
    const { entry, checkedAt } = await find(space, name, options);
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
    trusted: settings.trusted,

    async listSkills({ signal }: SkillCallOptions = {}): Promise<SkillListing> {
      const space = await begin(signal);
      return space.publicListing(await list(space, signal));
    },

    async getSkill(name: string, given: GetSkillOptions = {}): Promise<Skill | null> {
      const { signal } = given;
      const space = await begin(signal);
      return await withEntry(space, name, given, async (entry) => {
        const { metadata, body, resources, notes } = await loadSkill(entry, space.context, signal);
        const content = await contentOfEntry(entry, space.context.contents);
        if (given.content !== undefined && given.content !== content) return null;
        const origin = originOf(entry, settings);
        return deepFreeze({ ...metadata, origin, ...(content !== undefined && { content }), body, resources, diagnostics: notes });
      });
    },

    async contentOf(name: string, { content: _any, ...given }: GetSkillOptions = {}): Promise<string | null | undefined> {
      const space = await begin(given.signal);
      const { entry } = await find(space, name, given);
      return entry === null ? undefined : await contentOfEntry(entry, space.context.contents);
    },

    async readResource(name: string, path: string, given: ReadResourceOptions = {}): Promise<SkillResource | null> {
      const { maxBytes, digest, signal } = given;
      const space = await begin(signal);
      if (!isResourcePath(path)) {
        // A source that cannot answer says so, whatever the path.
        await list(space, signal);
        return null;
      }
      return await withEntry(space, name, given, async (entry) => {
        const bytes = await readEntryResource(entry, path, space.context, signal);
        if (bytes === null || (digest !== undefined && (await sha256Hex(bytes)) !== digest)) return null;
        if (given.content !== undefined && (await contentOfEntry(entry, space.context.contents)) !== given.content) {
          // Of an archive that was only unpacked so far, and of files without digests.
          if (entry.content.kind !== 'archive') return null;
          await loadSkill(entry, space.context, signal);
          if ((await contentOfEntry(entry, space.context.contents)) !== given.content) return null;
        }
        const told = digest ?? promisedDigest(entry, path) ?? (entry.content.kind === 'archive' ? await sha256Hex(bytes) : undefined);
        const cut = bytes.slice(0, maxBytes ?? bytes.length);
        return { path, bytes: cut, size: bytes.length, mediaType: mediaTypeOf(path), ...(told !== undefined && { digest: told }) };
      });
    },

    async [Symbol.asyncDispose]() {
      closed = true;
      audiences.abort(disposed(label));
    },
  };
}

function promisedDigest({ content }: SkillEntry, path: string): string | undefined {
  if (content.kind === 'files') return content.files.get(path)?.digest;
  return content.kind === 'skill-md' ? content.digest : undefined;
}

function findEntry(entries: readonly SkillEntry[], name: string, version: string | null | undefined): SkillEntry | null {
  return entries.find((entry) => entry.name === name && (version === undefined || entry.version === version)) ?? null;
}

function contentOf({ content }: SkillEntry): unknown {
  return content.kind === 'files' ? [...content.files] : content;
}

function isOutOfDate(error: unknown): boolean {
  return isAbsent(error) || (SkillError.isInstance(error) && error.code === 'digest-mismatch');
}

function goneError({ name, folder }: SkillEntry, cause: unknown, source: string): SkillError {
  const detail = messageOf(cause);
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
