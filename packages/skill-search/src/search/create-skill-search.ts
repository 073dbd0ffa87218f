import { SkillError, type SkillDiagnostic, type SkillMetadata, type SkillProvider, type SkillSearch } from '@repertoire/skills-core';
import {
  assertKnownOptions,
  messageOf,
  numberOption,
  printDiagnostic,
  type OptionRules,
  type SkillCandidate,
  type SkillSearchField,
} from '@repertoire/skills-core/internal';
import { abortable, type SkillSearchAnswer, type SkillSearchRequest } from '@repertoire/skills-core/provider';
import { parseQuery, queryLimits } from '../index-data/parse-query.ts';
import type { IndexHit } from '../index-data/skill-index.ts';
import type { LibraryEntry } from '../library/library-entry.ts';
import { libraryIndex } from '../library/library-index.ts';
import { withTimeout } from '../library/with-timeout.ts';
import { acceptsSkill } from './filter-skills.ts';
import { Freshness } from './freshness.ts';
import { searchDiagnostic } from './search-diagnostic.ts';
import type { SkillSearchOptions } from './skill-search-options.ts';

/** The progress of indexing. */
export interface SkillSearchStatus {
  /** Number of skills that can be found. */
  readonly skills: number;
  /** Number of skills whose instructions are still to be read. 0 after `refresh`. */
  readonly due: number;
  /** Skills whose instructions could not be read. They are found by level 1, and retried. */
  readonly unread: number;
  /** Number of skills with a vector; 0 without an embedder. */
  readonly vectors: number;
  /** Size of the index in bytes, without vectors and without the provider's data. */
  readonly indexBytes: number;
  /** Current problems of the index. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** A search with an index of its own. */
export interface IndexedSkillSearch extends SkillSearch {
  /**
   * Updates the index and waits for it, however long it takes.
   *
   * @param options `rereads`: also reads skills without version and digest again, which may have
   *   changed unnoticed
   * @throws {SkillError} what the provider rejects with if it cannot list
   */
  refresh(options?: { readonly rereads?: boolean | undefined; readonly signal?: AbortSignal | undefined }): Promise<SkillSearchStatus>;
  /** Returns the progress of indexing. Reads nothing. */
  status(): SkillSearchStatus;
  /** Returns the index as bytes, for `options.index`. Call `refresh` first. */
  exportIndex(): Uint8Array<ArrayBuffer>;
  /** Stops watching the provider. Later calls reject with `source-unavailable`. */
  [Symbol.dispose](): void;
}

const knownOptions: OptionRules<SkillSearchOptions> = {
  index: { iterable: true, '()': true },
  indexDigest: 'string',
  bodies: { '()': true, boolean: true },
  references: { '()': true, boolean: true },
  digestOf: '()',
  languages: '[]',
  staleAfterMs: 'number',
  maxWaitMs: 'number',
  concurrency: 'number',
  readTimeoutMs: 'number',
  embedder: '{}',
  onDiagnostic: '()',
  now: '()',
};

const longestContext = 1_024;
const mostContextWords = 32;
const fusedDepth = 50;
const mostMatches = 8;

/**
 * Creates a search over the skills of a provider, for libraries that are too large for a catalog in
 * the prompt.
 *
 * It searches words in name, description, tags, headings and instructions, on every platform and
 * without downloads. With an embedder it also searches by meaning; if the embedder fails or is
 * late, the result is by words. Nothing happens before the first search or `refresh`.
 *
 * @throws {SkillError} `invalid-options`
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
  assertKnownOptions('createSkillSearch', options, knownOptions);
  const { bodies = true, references = false, digestOf = () => undefined, now = Date.now, languages = [] } = options;
  const number = (name: 'maxWaitMs' | 'concurrency' | 'readTimeoutMs' | 'staleAfterMs', fallback: number, least = 0) =>
    numberOption(name, options[name], { of: 'createSkillSearch', fallback, least });
  const maxWaitMs = number('maxWaitMs', 2_000);
  const library = libraryIndex({
    provider,
    readsBody: typeof bodies === 'function' ? bodies : () => bodies,
    readsReferences: typeof references === 'function' ? references : () => references,
    digestOf,
    concurrency: number('concurrency', 8, 1),
    readTimeoutMs: number('readTimeoutMs', 10_000),
    prebuilt: options.index,
    prebuiltDigest: options.indexDigest,
    languages,
  });
  const meanings = options.embedder?.open();
  const freshness = new Freshness(provider, number('staleAfterMs', 30_000), now, async (rereads, signal, onListed) => {
    await library.update(rereads, signal, onListed);
    await meanings?.update(library.entries, signal);
  });
  const told = new Set<string>();
  let isDisposed = false;

  const problems = (): SkillDiagnostic[] => [...library.diagnostics, ...(meanings?.diagnostics ?? [])];

  function tell(diagnostics: readonly SkillDiagnostic[]): void {
    for (const diagnostic of diagnostics) {
      const key = `${diagnostic.code} ${diagnostic.skill ?? ''}`;
      if (told.has(key)) continue;
      told.add(key);
      (options.onDiagnostic ?? printDiagnostic)(diagnostic);
    }
  }

  function refuseDisposed(): void {
    if (!isDisposed) return;
    const message = `The search over "${provider.label}" was disposed. Make another one with createSkillSearch().`;
    throw new SkillError('source-unavailable', message);
  }

  const status = (): SkillSearchStatus => ({
    skills: new Set(Array.from(library.entries.values(), ({ skill }) => skill.name)).size,
    due: library.due,
    unread: library.unread,
    vectors: meanings?.size ?? 0,
    indexBytes: library.index.bytes,
    diagnostics: problems(),
  });

  /** Waits until the library is current, for at most `maxWaitMs` once it was listed. */
  async function wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise: listed, resolve } = Promise.withResolvers<void>();
    const update = freshness.update(false, signal, resolve);
    // If the caller stops waiting, the update continues, and `Freshness` keeps its error.
    update.catch(() => {});
    try {
      await withTimeout(maxWaitMs, signal, async () => await update);
    } catch {
      signal?.throwIfAborted();
      // A library that was never listed cannot be searched; otherwise the result says what failed.
      if (!library.isListed) await abortable(async () => await Promise.race([update, listed]), signal);
    }
  }

  /** Waits, and returns what is missing. */
  async function prepare(signal: AbortSignal | undefined): Promise<SkillDiagnostic[]> {
    signal?.throwIfAborted();
    if (!freshness.isCurrent || !library.isListed) await wait(signal);
    const missing = problems();
    const { failure } = freshness;
    if (failure !== null)
      missing.push(
        searchDiagnostic('search-source-unavailable', `Source "${provider.label}" cannot be listed: ${messageOf(failure.error)}`),
      );
    const { due, entries } = library;
    if (due > 0)
      missing.push(
        searchDiagnostic('search-index-incomplete', `${due} of ${entries.size} skills are found by name and description only so far.`),
      );
    return missing;
  }

  /** Finds skills by words, and by meaning if the embedder answers. */
  async function find(query: string, request: SkillSearchRequest): Promise<SkillSearchAnswer> {
    const { signal } = request;
    const limit = numberOption('limit', request.limit, { of: 'search', fallback: 5, least: 1, most: 100, whole: true });
    const diagnostics = await prepare(signal);
    const context = parseQuery((request.context ?? '').slice(0, longestContext), languages).words.slice(0, mostContextWords);
    const parsed = { ...parseQuery(query, languages), context };
    const { characters, words } = queryLimits;
    if (parsed.cut)
      diagnostics.push(
        searchDiagnostic('search-query-cut', `Of a request, ${characters} characters and ${words} different words are read.`),
      );
    const accepted = newestAccepted(library.entries.values(), acceptsSkill(request, diagnostics));
    const accepts = (entry: LibraryEntry) => accepted.has(entry);
    const partial = library.due > 0 || library.unread > 0;
    const depth = Math.max(limit, fusedDepth);
    const near =
      meanings === undefined || query.trim() === ''
        ? []
        : await meanings.find(query.slice(0, characters), library.entries, depth, accepts, signal);
    if (meanings !== undefined && query.trim() !== '' && !('code' in near)) {
      const byName = new Map(library.index.search(parsed, depth, accepts).map((hit) => [hit.entry.name, hit]));
      const nearest = new Map(near.map((entry) => [entry.name, entry]));
      const candidates = meanings.fuse([...byName.keys()], [...nearest.keys()]).flatMap(({ item, score }) => {
        const [hit, meant] = [byName.get(item), nearest.get(item)];
        const entry = hit?.entry ?? meant;
        const by = hit === undefined ? 'meaning' : meant === undefined ? 'words' : 'both';
        return entry === undefined ? [] : [candidateOf(entry, score, by, hit)];
      });
      return { candidates: candidates.slice(0, limit), mode: 'hybrid', partial, diagnostics };
    }
    if ('code' in near) diagnostics.push(near);
    const candidates = library.index.search(parsed, limit, accepts).map((hit) => candidateOf(hit.entry, hit.score, 'words', hit));
    return { candidates, mode: 'words', partial, diagnostics };
  }

  return {
    async search(query, request = {}) {
      refuseDisposed();
      if (typeof query !== 'string') throw new SkillError('invalid-options', `A request to search() is a text, not ${typeof query}.`);
      const answer = await find(query, request);
      tell(answer.diagnostics);
      return answer;
    },
    async refresh({ rereads = false, signal } = {}) {
      refuseDisposed();
      signal?.throwIfAborted();
      await freshness.update(rereads, signal);
      // Another update may have listed new skills while this one was reading.
      if (library.due > 0) await freshness.update(false, signal);
      const current = status();
      tell(current.diagnostics);
      return current;
    },
    status,
    exportIndex: () => library.write(),
    [Symbol.dispose]() {
      isDisposed = true;
      freshness.stop();
    },
  };
}

/** Returns the newest accepted version of each name. Each is found by its own words only. */
function newestAccepted(entries: Iterable<LibraryEntry>, accepts: (skill: SkillMetadata) => boolean): ReadonlySet<LibraryEntry> {
  const newest = new Map<string, LibraryEntry>();
  for (const entry of entries) {
    const known = newest.get(entry.skill.name);
    if ((known === undefined || entry.rank < known.rank) && accepts(entry.skill)) newest.set(entry.skill.name, entry);
  }
  return new Set(newest.values());
}

function candidateOf(
  { skill }: LibraryEntry,
  score: number,
  by: SkillCandidate['by'],
  hit: IndexHit<LibraryEntry> | undefined,
): SkillCandidate {
  const { name, version, description, origin } = skill;
  const matches = (hit?.explain() ?? []).slice(0, mostMatches).map(({ text, fields }) => {
    const strongest = (Object.entries(fields) as [SkillSearchField, number][]).sort(([, a], [, b]) => b - a);
    return { text, fields: strongest.map(([field]) => field) };
  });
  return { name, version, description, score, by, matches, origin: origin && { ...origin } };
}
