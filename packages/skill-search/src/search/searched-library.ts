import type { SkillDiagnostic, SkillProvider } from '@repertoire/skills-core';
import { messageOf, numberOption } from '@repertoire/skills-core/internal';
import { abortable } from '@repertoire/skills-core/provider';
import type { SkillMeanings } from '../embed/skill-embedder.ts';
import type { SearchLanguage } from '../languages/search-language.ts';
import { LibraryIndex } from '../library/library-index.ts';
import { withTimeout } from '../library/with-timeout.ts';
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

/** What one search searches: its index and its vectors, kept current. */
export class SearchedLibrary {
  readonly library: LibraryIndex;
  readonly meanings: SkillMeanings | undefined;
  readonly languages: readonly SearchLanguage[];
  readonly #label: string;
  readonly #maxWaitMs: number;
  readonly #freshness: Freshness;

  constructor(provider: SkillProvider, options: SkillSearchOptions) {
    const { bodies = true, references = false, digestOf = () => undefined, now = Date.now, languages = [] } = options;
    const number = (name: 'maxWaitMs' | 'concurrency' | 'readTimeoutMs' | 'staleAfterMs', fallback: number, least = 0) =>
      numberOption(name, options[name], { of: 'createSkillSearch', fallback, least });
    this.languages = languages;
    this.#label = provider.label;
    this.#maxWaitMs = number('maxWaitMs', 2_000);
    this.library = new LibraryIndex({
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
    this.meanings = options.embedder?.open();
    this.#freshness = new Freshness({
      provider,
      staleAfterMs: number('staleAfterMs', 30_000),
      now,
      update: async (rereads, signal, onListed) => {
        await this.library.update(rereads, signal, onListed);
        await this.meanings?.update(this.library.entries, signal);
      },
    });
  }

  get isPartial(): boolean {
    return this.library.due > 0 || this.library.unread > 0;
  }

  status(): SkillSearchStatus {
    const { entries, due, unread, index } = this.library;
    return {
      skills: new Set(Array.from(entries.values(), ({ skill }) => skill.name)).size,
      due,
      unread,
      vectors: this.meanings?.size ?? 0,
      indexBytes: index.bytes,
      diagnostics: this.#problems(),
    };
  }

  async refresh(rereads: boolean, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    await this.#freshness.update(rereads, signal);
    // Another update may have listed new skills while this one was reading.
    if (this.library.due > 0) await this.#freshness.update(false, signal);
  }

  /**
   * Waits until the library is current, for at most `maxWaitMs` once it was listed. Says what is
   * missing.
   */
  async prepare(signal: AbortSignal | undefined): Promise<SkillDiagnostic[]> {
    signal?.throwIfAborted();
    if (!this.#freshness.isCurrent || !this.library.isListed) await this.#wait(signal);
    const missing = this.#problems();
    const { failure } = this.#freshness;
    if (failure !== null)
      missing.push(searchDiagnostic('search-source-unavailable', `Source "${this.#label}" cannot be listed: ${messageOf(failure.error)}`));
    const { due, entries } = this.library;
    if (due > 0)
      missing.push(
        searchDiagnostic('search-index-incomplete', `${due} of ${entries.size} skills are found by name and description only so far.`),
      );
    return missing;
  }

  /** Stops watching the provider. */
  stop(): void {
    this.#freshness.stop();
  }

  #problems(): SkillDiagnostic[] {
    return [...this.library.diagnostics, ...(this.meanings?.diagnostics ?? [])];
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise: listed, resolve } = Promise.withResolvers<void>();
    const update = this.#freshness.update(false, signal, resolve);
    // If the caller stops waiting, the update continues, and `Freshness` keeps its error.
    update.catch(() => {});
    try {
      await withTimeout(this.#maxWaitMs, signal, async () => await update);
    } catch {
      signal?.throwIfAborted();
      // A library that was never listed cannot be searched; otherwise the result says what failed.
      if (!this.library.isListed) await abortable(async () => await Promise.race([update, listed]), signal);
    }
  }
}
