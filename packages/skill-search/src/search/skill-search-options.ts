import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import type { SkillEmbedder } from '../embed/skill-embedder.ts';

/** Options of {@link createSkillSearch}. */
export interface SkillSearchOptions {
  /**
   * An index that `exportIndex` wrote, or what gets it from where it was published; `null` if there is none. What has changed since is indexed anew, and nothing
   * is found that the provider does not list. One that cannot be had or used is left aside, with a diagnostic.
   * @default the library is read when it is first searched
   */
  readonly index?: Uint8Array | ((options: { readonly signal?: AbortSignal | undefined }) => Promise<Uint8Array | null>) | undefined;
  /** SHA-256 of the index in lower-case hex, as whoever wrote it told. One of other bytes is not used. @default it is not checked */
  readonly indexDigest?: string | undefined;
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
  /** Finds skills by meaning as well: `skillEmbedder({ … })`. @default none: by words alone, with nothing to download */
  readonly embedder?: SkillEmbedder | undefined;
  /** Is told each diagnostic once, when it first comes up. @default none */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
  /** The clock, in milliseconds. @default Date.now */
  readonly now?: (() => number) | undefined;
}
