import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import type { SearchLanguage } from '../languages/search-language.ts';
import type { SkillEmbedder } from '../embed/skill-embedder.ts';

/** Options of {@link createSkillSearch}. */
export interface SkillSearchOptions {
  /**
   * An index from `exportIndex`, or a function that loads it; `null` if there is none. Changed
   * skills are indexed again, and only skills that the provider lists are found. An index that
   * cannot be loaded or used is ignored with a diagnostic.
   * @default the library is read when it is first searched
   */
  readonly index?: Uint8Array | ((options: { readonly signal?: AbortSignal | undefined }) => Promise<Uint8Array | null>) | undefined;
  /**
   * SHA-256 of the index in lower-case hex, from its publisher. An index with other bytes is
   * ignored.
   * @default not checked
   */
  readonly indexDigest?: string | undefined;
  /**
   * Whose instructions are read and searched. Without them, a skill is found only by name,
   * description and tags, which finds clearly less.
   * @default all
   */
  readonly bodies?: boolean | ((skill: SkillMetadata) => boolean) | undefined;
  /**
   * Whose references are read and searched beside the instructions: Markdown and plain text in
   * `references/`, at most 64 KiB of a file, 32 files and 256 KiB of a skill, and 64 MiB in all. A
   * skill is then also found by details that only they have. Reading takes several times as long.
   * @default none
   */
  readonly references?: boolean | ((skill: SkillMetadata) => boolean) | undefined;
  /**
   * A digest of a skill that its source reports without reading it. A skill is read again when its
   * digest, its version or another part of level 1 changes. A skill without digest and version is
   * read again after each change that `watch` reports.
   * @default none
   */
  readonly digestOf?: ((skill: SkillMetadata) => string | undefined) | undefined;
  /**
   * Languages besides English that requests or skills are written in: `[german, spanish, chinese]`
   * of `@repertoire/skill-search/languages`. Words of a request and of a skill in one of them are
   * compared by its stems, and a request also finds English skills by a glossary. An index works
   * only with the languages that it was written with.
   * @default none: English, and pairs of characters for scripts without spaces
   */
  readonly languages?: readonly SearchLanguage[] | undefined;
  /** Milliseconds for which a listing counts as current. @default 30_000 */
  readonly staleAfterMs?: number | undefined;
  /**
   * Milliseconds that a search waits for listing, reading and embedding. After it, the search
   * answers with what is indexed. The first listing is always awaited.
   * @default 2_000
   */
  readonly maxWaitMs?: number | undefined;
  /** Number of skills that are read concurrently. @default 8 */
  readonly concurrency?: number | undefined;
  /** Timeout for reading one skill, in milliseconds. @default 10_000 */
  readonly readTimeoutMs?: number | undefined;
  /** Also finds skills by meaning: `skillEmbedder({ … })`. @default none: by words alone */
  readonly embedder?: SkillEmbedder | undefined;
  /** Called once with each diagnostic. @default prints warnings and errors with `console.warn` */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
  /** The clock, in milliseconds. @default Date.now */
  readonly now?: (() => number) | undefined;
}
