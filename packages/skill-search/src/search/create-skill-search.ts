import { abortable, numberOption, SkillError, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
import { normalizeEmbedder, type NormalizedEmbedder } from '../embed/skill-embedder.ts';
import { SkillVectors } from '../embed/skill-vectors.ts';
import { parseQuery, queryLimits, type ParsedQuery } from '../index-data/parse-query.ts';
import type { IndexHit } from '../index-data/skill-index.ts';
import { versionOf } from '../library/library-reader.ts';
import type { LibraryEntry } from '../library/library-entry.ts';
import { LibraryIndex } from '../library/library-index.ts';
import { withTimeout } from '../library/with-timeout.ts';
import { acceptsSkill } from './filter-skills.ts';
import { Freshness } from './freshness.ts';
import { fuseRanks } from './fuse-ranks.ts';
import { matchesOf } from './matches-of.ts';
import { searchDiagnostic } from './search-diagnostic.ts';
import type { SkillSearchOptions } from './skill-search-options.ts';
import type { SkillCandidate, SkillSearch, SkillSearchAnswer, SkillSearchRequest } from './skill-search.ts';

/** How far a search has come with its library. */
export interface SkillSearchStatus {
  /** Skills that can be found. */
  readonly skills: number;
  /** Skills whose instructions have still to be read. */
  readonly due: number;
  /** Skills that have a vector; 0 without an embedder. */
  readonly vectors: number;
  /** Bytes of the index, without vectors and without what the provider gave. */
  readonly indexBytes: number;
  /** What is wrong with the index now. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** A search with an index of its own. */
export interface IndexedSkillSearch extends SkillSearch {
  /**
   * Brings the index up to date and waits for it, however long it takes.
   *
   * @param options `rereads`: also read again what may have changed unnoticed, that is skills without version and digest
   * @throws {SkillError} what the provider rejects with where it cannot list
   */
  refresh(options?: { readonly rereads?: boolean | undefined; readonly signal?: AbortSignal | undefined }): Promise<SkillSearchStatus>;
  /** How far the index has come; asks nobody. */
  status(): SkillSearchStatus;
  /** The index as bytes, for `options.index` of another process. Refresh first: what is not read by then is read there. */
  exportIndex(): Uint8Array<ArrayBuffer>;
  /** Stops watching the provider, which stays as it is. Calls of `search` and `refresh` after it reject with `source-unavailable`. */
  [Symbol.dispose](): void;
}

const owner = 'createSkillSearch';
/** How many of each list are fused. */
const fusedDepth = 50;

/**
 * Makes a search over the skills of a provider, for libraries that are too large for a catalog in the prompt.
 *
 * It finds by words in name, description, tags, headings and instructions, on every platform and without a download. With an embedder it finds by meaning, too;
 * where that fails or is late, the answer is by words. Nothing happens before the first search or `refresh`.
 *
 * @throws {SkillError} `invalid-options` for options that cannot work
 * @example
 * ```ts
 * import { createSkillSearch } from '@repertoire/skill-search';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function fitting(provider: SkillProvider, request: string): Promise<string[]> {
 *   using search = createSkillSearch(provider);
 *   const { candidates } = await search.search(request, { limit: 3, filter: { trusted: true } });
 *   return candidates.map(({ name, matches }) => `${name}: ${matches.map(({ text }) => text).join(', ')}`);
 * }
 * ```
 */
export function createSkillSearch(provider: SkillProvider, options: SkillSearchOptions = {}): IndexedSkillSearch {
  const number = (name: string, value: number | undefined, fallback: number, least = 0) => numberOption(name, value, { of: owner, fallback, least });
  const maxWaitMs = number('maxWaitMs', options.maxWaitMs, 2_000);
  const { bodies = true, digestOf = () => undefined, now = Date.now, embedder } = options;
  const library = new LibraryIndex({
    provider,
    readsBody: typeof bodies === 'function' ? bodies : () => bodies,
    digestOf,
    concurrency: number('concurrency', options.concurrency, 8, 1),
    readTimeoutMs: number('readTimeoutMs', options.readTimeoutMs, 10_000),
    prebuilt: options.index,
  });
  const meaning = embedder === undefined ? null : meaningOf(embedder);
  const freshness = new Freshness({
    provider,
    staleAfterMs: number('staleAfterMs', options.staleAfterMs, 30_000),
    now,
    update: async (rereads, signal, onListed) => {
      await library.update(rereads, signal, onListed);
      await meaning?.vectors.update(library.entries, signal);
    },
  });
  const told = new Set<string>();
  let isDisposed = false;

  const status = (): SkillSearchStatus => ({
    skills: library.entries.size,
    due: library.due,
    vectors: meaning?.vectors.size ?? 0,
    indexBytes: library.index.bytes,
    diagnostics: [...library.diagnostics, ...(meaning?.vectors.diagnostics ?? [])],
  });

  /** Waits until the library is current, at most for `maxWaitMs` where it has been listed before; and says what is missing then. */
  async function prepare(signal: AbortSignal | undefined): Promise<SkillDiagnostic[]> {
    signal?.throwIfAborted();
    if (!freshness.isCurrent || !library.isListed) await wait(signal);
    const missing = [...status().diagnostics];
    if (freshness.failure !== null) missing.push(searchDiagnostic('search-source-unavailable', `Source "${provider.label}" cannot be listed: ${messageOf(freshness.failure.error)}`));
    const { due } = library;
    if (due > 0) missing.push(searchDiagnostic('search-index-incomplete', `${due} of ${library.entries.size} skills are found by name and description only so far.`));
    return missing;
  }

  async function wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise: listed, resolve } = Promise.withResolvers<void>();
    const update = freshness.update(false, signal, resolve);
    // Whoever stops waiting leaves the update to itself; what it fails with is kept by `freshness`.
    update.catch(() => {});
    try {
      await withTimeout(maxWaitMs, signal, async () => await update);
    } catch {
      signal?.throwIfAborted();
      // Nothing can be answered of a library that was never listed. Of one that was, the answer says what went wrong.
      if (!library.isListed) await abortable(async () => await Promise.race([update, listed]), signal);
    }
  }

  async function semantic(
    query: string,
    limit: number,
    accepts: (entry: LibraryEntry) => boolean,
    signal: AbortSignal | undefined,
    diagnostics: SkillDiagnostic[],
  ): Promise<LibraryEntry[] | null> {
    if (meaning === null) return null;
    if (!meaning.vectors.isReady(library.entries)) {
      diagnostics.push(searchDiagnostic('search-vectors-incomplete', `${meaning.vectors.size} of ${library.entries.size} skills have vectors.`));
      return null;
    }
    try {
      const vector = await withTimeout(meaning.timeoutMs, signal, async (either) => await meaning.embedder.query(query.slice(0, queryLimits.characters), either));
      return await meaning.vectors.nearest(vector, library.entries, Math.max(limit, fusedDepth), accepts);
    } catch (error) {
      signal?.throwIfAborted();
      const isLate = SkillError.isInstance(error) && error.code === 'timeout';
      diagnostics.push(searchDiagnostic(isLate ? 'search-embedder-late' : 'search-embedder-failed', `The embedder failed on a request: ${messageOf(error)}`));
      return null;
    }
  }

  function tell(diagnostics: readonly SkillDiagnostic[]): void {
    for (const diagnostic of diagnostics) {
      const key = `${diagnostic.code} ${diagnostic.skill ?? ''}`;
      if (told.has(key)) continue;
      told.add(key);
      options.onDiagnostic?.(diagnostic);
    }
  }

  async function search(query: string, request: SkillSearchRequest): Promise<SkillSearchAnswer> {
    const limit = numberOption('limit', request.limit, { of: 'search', fallback: 5, least: 1, most: 100, whole: true });
    const { signal } = request;
    const diagnostics = await prepare(signal);
    const parsed = parseQuery(query);
    if (parsed.cut)
      diagnostics.push(searchDiagnostic('search-query-cut', `Of a request, ${queryLimits.characters} characters and ${queryLimits.words} different words are read.`));
    const acceptsOne = acceptsSkill(request, diagnostics);
    const accepts = ({ skill }: LibraryEntry) => acceptsOne(skill);
    const near = query.trim() === '' ? null : await semantic(query, limit, accepts, signal, diagnostics);
    // After the last wait, so that what is answered is of one state of the library.
    const hits = library.index.search(parsed, near === null ? limit : Math.max(limit, fusedDepth), accepts);
    const candidates = near === null ? hits.map((hit) => candidateOf(hit.entry, hit.score, 'words', hit)) : fuse(hits, near).slice(0, limit);
    tell(diagnostics);
    return { candidates, mode: near === null ? 'words' : 'hybrid', diagnostics };
  }

  function refuseDisposed(): void {
    if (isDisposed) throw new SkillError('source-unavailable', `The search over "${provider.label}" was disposed. Make another one with createSkillSearch().`);
  }

  return {
    async search(query, request = {}) {
      refuseDisposed();
      if (typeof query !== 'string') throw new SkillError('invalid-options', `A request to search() is a text, not ${typeof query}.`);
      return await search(query, request);
    },
    async refresh({ rereads = false, signal } = {}) {
      refuseDisposed();
      signal?.throwIfAborted();
      await freshness.update(rereads, signal);
      tell(status().diagnostics);
      return status();
    },
    status,
    exportIndex: () => library.write(),
    [Symbol.dispose]() {
      isDisposed = true;
      freshness.stop();
    },
  };
}

function meaningOf({ id, embedder, cache, timeoutMs, batchSize, batchTimeoutMs }: NonNullable<SkillSearchOptions['embedder']>): {
  readonly embedder: NormalizedEmbedder;
  readonly vectors: SkillVectors;
  readonly timeoutMs: number;
} {
  const normalized = normalizeEmbedder(embedder);
  const vectors = new SkillVectors({
    id,
    embedder: normalized,
    cache,
    batchSize: numberOption('embedder.batchSize', batchSize, { of: owner, fallback: 64, least: 1, whole: true }),
    batchTimeoutMs: numberOption('embedder.batchTimeoutMs', batchTimeoutMs, { of: owner, fallback: 30_000, least: 0 }),
  });
  return { embedder: normalized, vectors, timeoutMs: numberOption('embedder.timeoutMs', timeoutMs, { of: owner, fallback: 1_000, least: 0 }) };
}

function fuse(hits: readonly IndexHit<LibraryEntry>[], near: readonly LibraryEntry[]): SkillCandidate[] {
  const byName = new Map(hits.map((hit) => [hit.entry.name, hit]));
  const nearNames = near.map(({ name }) => name);
  const entries = new Map([...near, ...hits.map(({ entry }) => entry)].map((entry) => [entry.name, entry]));
  return fuseRanks([hits.map(({ entry }) => entry.name), nearNames]).flatMap(({ item, score }) => {
    const entry = entries.get(item);
    const hit = byName.get(item);
    const by = hit === undefined ? 'meaning' : nearNames.includes(item) ? 'both' : 'words';
    return entry === undefined ? [] : [candidateOf(entry, score, by, hit)];
  });
}

function candidateOf({ skill }: LibraryEntry, score: number, by: SkillCandidate['by'], hit: IndexHit<LibraryEntry> | undefined): SkillCandidate {
  const { name, description, origin } = skill;
  return { name, version: versionOf(skill), description, score, by, matches: hit === undefined ? [] : matchesOf(hit.explain()), origin: origin && { ...origin } };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
