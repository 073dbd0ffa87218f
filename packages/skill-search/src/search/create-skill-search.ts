import { SkillError, type SkillDiagnostic, type SkillProvider, type SkillSearch } from '@repertoire/skills-core';
import { assertKnownOptions, printDiagnostic, type OptionRules } from '@repertoire/skills-core/internal';
import { findSkills } from './find-skills.ts';
import { SearchedLibrary, type SkillSearchStatus } from './searched-library.ts';
import type { SkillSearchOptions } from './skill-search-options.ts';

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
  /** The progress of indexing. It reads nothing. */
  status(): SkillSearchStatus;
  /** The index as bytes, for `options.index`. Call `refresh` first. */
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
  const searched = new SearchedLibrary(provider, options);
  const told = new Set<string>();
  let isDisposed = false;

  function tell(diagnostics: readonly SkillDiagnostic[]): void {
    for (const diagnostic of diagnostics) {
      const key = `${diagnostic.code} ${diagnostic.skill ?? ''}`;
      if (told.has(key)) continue;
      told.add(key);
      (options.onDiagnostic ?? printDiagnostic)(diagnostic);
    }
  }

  function refuseDisposed(): void {
    if (isDisposed)
      throw new SkillError(
        'source-unavailable',
        `The search over "${provider.label}" was disposed. Make another one with createSkillSearch().`,
      );
  }

  return {
    async search(query, request = {}) {
      refuseDisposed();
      if (typeof query !== 'string') throw new SkillError('invalid-options', `A request to search() is a text, not ${typeof query}.`);
      const answer = await findSkills(searched, query, request);
      tell(answer.diagnostics);
      return answer;
    },
    async refresh({ rereads = false, signal } = {}) {
      refuseDisposed();
      await searched.refresh(rereads, signal);
      const status = searched.status();
      tell(status.diagnostics);
      return status;
    },
    status: () => searched.status(),
    exportIndex: () => searched.library.write(),
    [Symbol.dispose]() {
      isDisposed = true;
      searched.stop();
    },
  };
}
