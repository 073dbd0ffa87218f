import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import type { EmbedFunction, EmbeddingModelLike, EmbeddingsLike } from '../embed/skill-embedder.ts';
import type { SkillVectorCache } from '../embed/vector-cache.ts';

/** An embedder, which finds skills by their meaning besides their words. */
export interface SkillEmbedderOptions {
  /** Names the model and its settings, such as `text-embedding-3-small`. Part of the keys of `cache`: another model needs another one. */
  readonly id: string;
  /** A function of yours, an embedding model of the AI SDK, or LangChain's `Embeddings`. */
  readonly embedder: EmbedFunction | EmbeddingModelLike | EmbeddingsLike;
  /** Where vectors of skills are kept between processes. @default only in memory */
  readonly cache?: SkillVectorCache | undefined;
  /** How long the embedding of one request may take before the answer is by words alone. @default 1_000 */
  readonly timeoutMs?: number | undefined;
  /** How many skills are embedded in one call. @default 64 */
  readonly batchSize?: number | undefined;
  /** How long one call for a batch of skills may take. @default 30_000 */
  readonly batchTimeoutMs?: number | undefined;
}

/** Options of {@link createSkillSearch}. */
export interface SkillSearchOptions {
  /** An index that `exportIndex` wrote. What has changed since is indexed anew. @default the library is read when it is first searched */
  readonly index?: Uint8Array | undefined;
  /**
   * Whose instructions are read and searched. Without them a skill is found by name, description and tags only, which finds clearly less.
   * @default all
   */
  readonly bodies?: boolean | ((skill: SkillMetadata) => boolean) | undefined;
  /**
   * A digest of a skill that its source tells without reading it. A skill is read again when its digest, its version or another part of level 1 changes. One with
   * neither digest nor version is read again after each change that the provider tells of by `watch`.
   * @default none
   */
  readonly digestOf?: ((skill: SkillMetadata) => string | undefined) | undefined;
  /** For how long a listing is taken for current. @default 30_000 */
  readonly staleAfterMs?: number | undefined;
  /** How long a search may wait for the library to be listed, read and embedded; then it answers with what is there. A first listing is always waited for. @default 2_000 */
  readonly maxWaitMs?: number | undefined;
  /** How many skills are read at the same time. @default 8 */
  readonly concurrency?: number | undefined;
  /** How long reading one skill may take. @default 10_000 */
  readonly readTimeoutMs?: number | undefined;
  /** Finds skills by meaning as well. @default none: by words alone, with nothing to download */
  readonly embedder?: SkillEmbedderOptions | undefined;
  /** Is told each diagnostic once, when it first comes up. @default none */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
  /** The clock, in milliseconds. @default Date.now */
  readonly now?: (() => number) | undefined;
}
