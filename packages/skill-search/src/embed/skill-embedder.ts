import { assertKnownOptions, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import { normalizeModel, type EmbedFunction, type EmbeddingModelLike, type EmbeddingsLike } from './embedding-model.ts';
import { defaultFusion } from './fuse-ranks.ts';
import { SkillVectors } from './skill-vectors.ts';
import type { SkillVectorCache } from './vector-cache.ts';

/** Options of {@link skillEmbedder}. */
export interface SkillEmbedderOptions {
  /**
   * Name of the model and its settings. Part of the keys of `cache`, so each model needs its own.
   */
  readonly id: string;
  /** A function of yours, an embedding model of the AI SDK, or LangChain's `Embeddings`. */
  readonly model: EmbedFunction | EmbeddingModelLike | EmbeddingsLike;
  /** Keeps vectors of skills between processes. @default only in memory */
  readonly cache?: SkillVectorCache | undefined;
  /** Milliseconds for embedding a request; after it, words decide alone. @default 1_000 */
  readonly timeoutMs?: number | undefined;
  /**
   * The share of meaning in the order of a result, from 0 (words alone) to 1 (meaning alone).
   * `repertoire search --tune` proposes one for a library and a model.
   * @default 0.25: words lead
   */
  readonly weight?: number | undefined;
  /**
   * How slowly a rank loses its value: a skill at rank `r` of a list gets 1 / (`rankOffset` + `r`).
   * @default 2
   */
  readonly rankOffset?: number | undefined;
  /** Number of skills embedded in one call. @default 64 */
  readonly batchSize?: number | undefined;
  /** Timeout for one batch of skills, in milliseconds. @default 30_000 */
  readonly batchTimeoutMs?: number | undefined;
}

/** For `createSkillSearch`. It stores nothing of a library, so searches can share it. */
export interface SkillEmbedder {
  /** Creates the vectors of one search. Called by `createSkillSearch`. */
  readonly open: () => SkillVectors;
}

const owner = 'skillEmbedder';

const knownOptions: OptionRules<SkillEmbedderOptions> = {
  id: 'string',
  model: { '()': true, '{}': true },
  cache: '{}',
  timeoutMs: 'number',
  weight: 'number',
  rankOffset: 'number',
  batchSize: 'number',
  batchTimeoutMs: 'number',
};

/**
 * Lets a search also find skills by meaning. It is a separate function, so bundles without it do
 * not contain its code.
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
  assertKnownOptions('skillEmbedder', options, knownOptions);
  const number = (name: 'timeoutMs' | 'batchSize' | 'batchTimeoutMs', fallback: number, least: number, whole = false) =>
    numberOption(name, options[name], { of: owner, fallback, least, whole });
  const settings = {
    id: options.id,
    model: normalizeModel(options.model),
    cache: options.cache,
    timeoutMs: number('timeoutMs', 1_000, 0),
    batchSize: number('batchSize', 64, 1, true),
    batchTimeoutMs: number('batchTimeoutMs', 30_000, 0),
    fusion: {
      weight: numberOption('weight', options.weight, { of: owner, fallback: defaultFusion.weight, least: 0, most: 1 }),
      rankOffset: numberOption('rankOffset', options.rankOffset, { of: owner, fallback: defaultFusion.rankOffset, least: 0, most: 1_000 }),
    },
  };
  return { open: () => new SkillVectors(settings) };
}
