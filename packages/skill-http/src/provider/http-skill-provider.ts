import { copyOf, SkillError, type GetSkillOptions, type ReadResourceOptions, type Skill, type SkillCallOptions, type SkillDiagnostic, type SkillMetadata, type SkillOrigin, type SkillProvider, type SkillResource } from '@repertoire/skills-core';
import { isResourcePath, mediaTypeOf, sha256Hex, SizedCache } from '@repertoire/skills-core/provider';
import type { UnpackedArchive } from '../archive/unpack-archive.ts';
import { entryKey, type SkillEntry } from '../discovery/skill-entry.ts';
import { Flights } from '../http/flights.ts';
import { answerCache } from '../http/http-cache.ts';
import { isAbsent, unwrapped } from '../http/http-failure.ts';
import type { LiveDocument } from '../http/live-document.ts';
import { catalogDiagnostics, createCatalog } from './catalog.ts';
import { httpSkillSettings, type HttpSkillProviderOptions } from './http-skill-provider-options.ts';
import { artifactListing, indexListing, type Listing } from './listing.ts';
import { loadSkill, type LoadContext, type LoadedSkill } from './load-skill.ts';
import { readEntryResource } from './read-entry-resource.ts';

/** A {@link SkillProvider} of a place on the web. */
export type HttpSkillProvider = SkillProvider & Required<Pick<SkillProvider, 'diagnostics'>> & { [Symbol.asyncDispose](): Promise<void> };

/**
 * Skills from the web: the discovery index 0.2.0 (`/.well-known/agent-skills/index.json`), the index 0.1.0 (`/.well-known/skills/index.json`), or a
 * `skill-card.json` with files beside it. Untrusted unless the host says otherwise.
 *
 * Listing is one request, and none while the index is fresh. Artifacts are named by their digests: what does not have its digest is not looked at, and what
 * has is read once. A server that is down, slow or answers rubbish never empties a list that was good: the last good copy serves, and a diagnostic says so.
 *
 * Diagnostics of its own: `index-entry-invalid`, `index-entry-name`, `index-entry-description`, `index-entry-type`, `index-entry-digest`, `index-entry-url`,
 * `index-entry-files`, `index-entry-duplicate`, `index-entry-metadata`, `index-truncated`, `diagnostics-cut`, `card-base`, `stale-index`, `stale-file`,
 * `unverified`, `level-one-differs`, `archive-folder`, `skill-unusable`, `cache-failed`; besides, those of the parsers of SKILL.md and of cards.
 *
 * @throws {SkillError} `invalid-options`, at once. Calls reject with `source-unavailable` or `timeout` where there is neither an answer nor a good copy;
 * `getSkill` and `readResource` of one skill with `digest-mismatch`, `invalid-skill`, `invalid-path`, `limit-exceeded`, `permission-denied` or
 * `resource-not-found`.
 * @example
 * ```ts
 * import { httpSkillProvider } from '@repertoire/skill-http';
 *
 * const provider = httpSkillProvider({ label: 'acme', url: 'https://skills.acme.example' });
 * for (const { name, description } of await provider.listSkills()) console.log(`${name}: ${description}`);
 * ```
 */
export function httpSkillProvider(options: HttpSkillProviderOptions): HttpSkillProvider {
  const settings = httpSkillSettings(options);
  const { label, limits, http } = settings;
  const flights = new Flights();
  const partition = sha256HexOnce(JSON.stringify([label, Object.entries(settings.fixedHeaders).sort()]));
  let cacheFailure: unknown;
  let closed = false;
  const context: LoadContext = {
    http,
    rules: settings.rules,
    flights,
    cache: answerCache(settings.cache, partition, (error) => (cacheFailure = error)),
    waitUntil: settings.waitUntil,
    limits,
    profile: settings.profile,
    artifacts: new SizedCache<UnpackedArchive>(limits.memoryBytes),
    documents: new SizedCache<LiveDocument<null>>(limits.memoryBytes),
  };
  const catalog = createCatalog(settings, context);
  const readListing = settings.levelOne === 'index' ? indexListing(catalog) : artifactListing(catalog, context);
  // What the last look at each skill brought to light; only of skills that are listed.
  const notes = new Map<string, readonly SkillDiagnostic[]>();
  let left: readonly SkillDiagnostic[] = [];

  const list = async (signal: AbortSignal | undefined, changedSince?: number): Promise<Listing> => {
    try {
      const listing = await readListing(signal, changedSince);
      left = listing.diagnostics;
      return listing;
    } catch (error) {
      signal?.throwIfAborted();
      throw asOutage(unwrapped(error), label);
    }
  };

  /** Reads of an entry; where the file is gone or another one, of what a newer index says of it. */
  const withEntry = async <Value>(
    name: string,
    version: string | undefined,
    signal: AbortSignal | undefined,
    read: (entry: SkillEntry) => Promise<Value>,
  ): Promise<Value | null> => {
    const { entries, checkedAt } = await list(signal);
    const entry = findEntry(entries, name, version);
    if (entry === null) return null;
    try {
      return await read(entry);
    } catch (error) {
      signal?.throwIfAborted();
      const reason = unwrapped(error);
      if (!isOutOfDate(error)) throw told(entry, reason);
      const newer = findEntry((await list(signal, checkedAt)).entries, name, version);
      if (newer === null) return null;
      if (JSON.stringify(contentOf(newer)) === JSON.stringify(contentOf(entry)))
        throw told(entry, isAbsent(error) ? goneError(entry, reason, label) : reason);
      try {
        return await read(newer);
      } catch (second) {
        signal?.throwIfAborted();
        throw told(newer, isAbsent(second) ? goneError(newer, unwrapped(second), label) : unwrapped(second));
      }
    }
  };

  const told = (entry: SkillEntry, error: unknown): unknown => {
    if (SkillError.isInstance(error) && error.code !== 'source-unavailable' && error.code !== 'timeout') {
      notes.set(entryKey(entry), [
        { code: 'skill-unusable', severity: 'error', message: error.message, skill: entry.name, path: entry.folder },
      ]);
    }
    return error;
  };

  const load = async (entry: SkillEntry, signal: AbortSignal | undefined): Promise<LoadedSkill> => {
    const loaded = await loadSkill(entry, context, signal);
    if (loaded.notes.length > 0) notes.set(entryKey(entry), loaded.notes);
    else notes.delete(entryKey(entry));
    return loaded;
  };

  const originOf = ({ folder }: SkillEntry): SkillOrigin => ({ kind: 'http', label, uri: folder, trusted: settings.trusted });
  const begin = (signal: AbortSignal | undefined): void => {
    signal?.throwIfAborted();
    if (closed) throw disposed(label);
  };

  return {
    label,

    async listSkills({ signal }: SkillCallOptions = {}): Promise<readonly SkillMetadata[]> {
      begin(signal);
      const { entries } = await list(signal);
      return entries.map((entry) => ({ ...copyOf(entry.metadata), origin: originOf(entry) }));
    },

    async getSkill(name: string, { version, signal }: GetSkillOptions = {}): Promise<Skill | null> {
      begin(signal);
      return await withEntry(name, version, signal, async (entry) => {
        const { metadata, body, resources } = await load(entry, signal);
        return { ...copyOf(metadata), origin: originOf(entry), body, resources: copyOf(resources) };
      });
    },

    async readResource(name: string, path: string, { version, maxBytes, signal }: ReadResourceOptions = {}): Promise<SkillResource | null> {
      begin(signal);
      if (!isResourcePath(path) || path === 'SKILL.md') {
        // A source that cannot answer says so, whatever the path.
        await list(signal);
        return null;
      }
      return await withEntry(name, version, signal, async (entry) => {
        const bytes = await readEntryResource(entry, path, context, signal);
        return bytes === null
          ? null
          : { path, bytes: bytes.slice(0, maxBytes ?? bytes.length), size: bytes.length, mediaType: mediaTypeOf(path) };
      });
    },

    async diagnostics({ signal }: SkillCallOptions = {}): Promise<readonly SkillDiagnostic[]> {
      begin(signal);
      const { entries } = await list(signal);
      const listed = new Set(entries.map(entryKey));
      for (const key of notes.keys()) if (!listed.has(key)) notes.delete(key);
      const failed: SkillDiagnostic[] =
        cacheFailure === undefined
          ? []
          : [
              {
                code: 'cache-failed',
                severity: 'warning',
                message: `The cache of "${label}" failed, and was done without: ${String(cacheFailure)}.`,
              },
            ];
      return [...catalogDiagnostics(catalog, settings), ...left, ...[...notes.values()].flat(), ...failed].map(copyOf);
    },

    async [Symbol.asyncDispose]() {
      closed = true;
      flights.abort(disposed(label));
      context.artifacts.clear();
      context.documents.clear();
    },
  };
}

function findEntry(entries: readonly SkillEntry[], name: string, version: string | undefined): SkillEntry | null {
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

/** A list that cannot be had is an outage of the source, whatever the reason. */
function asOutage(error: unknown, source: string): unknown {
  if (!SkillError.isInstance(error) || error.code === 'source-unavailable' || error.code === 'timeout') return error;
  return new SkillError('source-unavailable', error.message, { source, path: error.path, cause: error });
}

function disposed(label: string): SkillError {
  return new SkillError('source-unavailable', `[skill-http] Source "${label}" was disposed. Make a new one with httpSkillProvider.`, {
    source: label,
  });
}

function sha256HexOnce(text: string): () => Promise<string> {
  let digest: Promise<string> | undefined;
  return () => (digest ??= sha256Hex(text));
}
