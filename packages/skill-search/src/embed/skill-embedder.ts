import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { numberOption } from '@repertoire/skills-core/provider';
import type { LibraryEntry } from '../library/library-entry.ts';
import { withTimeout } from '../library/with-timeout.ts';
import { messageOf, searchDiagnostic } from '../search/search-diagnostic.ts';
import { normalizeModel, type EmbedFunction, type EmbeddingModelLike, type EmbeddingsLike } from './embedding-model.ts';
import { fuseRanks } from './fuse-ranks.ts';
import { SkillVectors } from './skill-vectors.ts';
import type { SkillVectorCache } from './vector-cache.ts';

/** Options of {@link skillEmbedder}. */
export interface SkillEmbedderOptions {
  /** Names the model and its settings, such as `text-embedding-3-small`. Part of the keys of `cache`: another model needs another one. */
  readonly id: string;
  /** A function of yours, an embedding model of the AI SDK, or LangChain's `Embeddings`. */
  readonly model: EmbedFunction | EmbeddingModelLike | EmbeddingsLike;
  /** Where vectors of skills are kept between processes. @default only in memory */
  readonly cache?: SkillVectorCache | undefined;
  /** How long the embedding of one request may take before the answer is by words alone. @default 1_000 */
  readonly timeoutMs?: number | undefined;
  /** How many skills are embedded in one call. @default 64 */
  readonly batchSize?: number | undefined;
  /** How long one call for a batch of skills may take. @default 30_000 */
  readonly batchTimeoutMs?: number | undefined;
}

/** What {@link skillEmbedder} makes, to be given to `createSkillSearch`. It holds nothing of a library, so several searches can have it. */
export interface SkillEmbedder {
  /** Opens it for one search. Called by `createSkillSearch`. */
  readonly open: () => SkillMeanings;
}

/** The meanings of the skills of one library. */
export interface SkillMeanings {
  /** How many skills have a vector. */
  readonly size: number;
  /** What went wrong when vectors were made last. */
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Makes the vectors that are missing. It never rejects but for an abort. */
  update(entries: ReadonlyMap<string, LibraryEntry>, signal: AbortSignal | undefined): Promise<void>;
  /** The skills whose meaning is nearest to a request, nearest first; or why there is no answer. It never rejects but for an abort. */
  find(
    query: string,
    entries: ReadonlyMap<string, LibraryEntry>,
    limit: number,
    accepts: (entry: LibraryEntry) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<readonly LibraryEntry[] | SkillDiagnostic>;
  /** Fuses the names found by words with those found by meaning. */
  fuse(byWords: readonly string[], byMeaning: readonly string[]): { readonly item: string; readonly score: number }[];
}

const owner = 'skillEmbedder';

/**
 * Lets a search find skills by their meaning as well. It is a function of its own, so that a bundle without it holds nothing of it.
 *
 * @throws {SkillError} `invalid-options` for numbers out of range
 * @example
 * ```ts
 * import { createSkillSearch, skillEmbedder, type EmbeddingModelLike, type IndexedSkillSearch } from '@repertoire/skill-search';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export function openHybrid(provider: SkillProvider, model: EmbeddingModelLike): IndexedSkillSearch {
 *   return createSkillSearch(provider, { embedder: skillEmbedder({ id: 'text-embedding-3-small', model }) });
 * }
 * ```
 */
export function skillEmbedder(options: SkillEmbedderOptions): SkillEmbedder {
  const number = (name: 'timeoutMs' | 'batchSize' | 'batchTimeoutMs', fallback: number, least: number, whole = false) =>
    numberOption(name, options[name], { of: owner, fallback, least, whole });
  const timeoutMs = number('timeoutMs', 1_000, 0);
  const model = normalizeModel(options.model);
  const settings = {
    id: options.id,
    model,
    cache: options.cache,
    batchSize: number('batchSize', 64, 1, true),
    batchTimeoutMs: number('batchTimeoutMs', 30_000, 0),
  };
  return {
    open(): SkillMeanings {
      const vectors = new SkillVectors(settings);
      return {
        get size() {
          return vectors.size;
        },
        get diagnostics() {
          return vectors.diagnostics;
        },
        update: async (entries, signal) => await vectors.update(entries, signal),
        async find(query, entries, limit, accepts, signal) {
          if (!vectors.isReady(entries))
            return searchDiagnostic('search-vectors-incomplete', `${vectors.size} of ${entries.size} skills have vectors.`);
          try {
            const vector = await withTimeout(timeoutMs, signal, async (either) => await model.query(query, either));
            return await vectors.nearest(vector, entries, limit, accepts);
          } catch (error) {
            signal?.throwIfAborted();
            const isLate = SkillError.isInstance(error) && error.code === 'timeout';
            return searchDiagnostic(
              isLate ? 'search-embedder-late' : 'search-embedder-failed',
              `The embedder failed on a request: ${messageOf(error)}`,
            );
          }
        },
        fuse: (byWords, byMeaning) => fuseRanks([byWords, byMeaning]),
      };
    },
  };
}
