import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { messageOf, Pace } from '@repertoire/skills-core/internal';
import { forEachBounded } from '@repertoire/skills-core/provider';
import type { LibraryEntry } from '../library/library-entry.ts';
import { withTimeout } from '../library/with-timeout.ts';
import { searchDiagnostic } from '../search/search-diagnostic.ts';
import { skillText } from '../text/skill-text.ts';
import type { NormalizedModel } from './embedding-model.ts';
import { fuseRanks, type FusionWeights } from './fuse-ranks.ts';
import { vectorBytes, vectorKey, vectorOfBytes, type SkillVectorCache } from './vector-cache.ts';

/** What {@link SkillVectors} needs to know. */
export interface SkillVectorSettings {
  readonly id: string;
  readonly model: NormalizedModel;
  readonly cache: SkillVectorCache | undefined;
  readonly timeoutMs: number;
  readonly batchSize: number;
  readonly batchTimeoutMs: number;
  readonly fusion: FusionWeights;
}

interface Wanted {
  readonly entry: LibraryEntry;
  readonly text: string;
  readonly key: string;
}

const mostEmbedded = 2_048;

/** With fewer vectors than this share, having one would decide the ranking. */
const enough = 0.9;

const multiplicationsPerSlice = 1_000_000;

/** The vectors of names and descriptions. */
export class SkillVectors {
  readonly #settings: SkillVectorSettings;
  readonly #vectors: Map<string, { readonly mark: string; readonly vector: Float32Array }> = new Map();
  #problems: SkillDiagnostic[] = [];

  constructor(settings: SkillVectorSettings) {
    this.#settings = settings;
  }

  get size(): number {
    return this.#vectors.size;
  }

  /** What failed at the last update. */
  get diagnostics(): readonly SkillDiagnostic[] {
    return this.#problems;
  }

  /** Creates missing vectors. Rejects only for an abort; failures are retried at the next call. */
  async update(entries: ReadonlyMap<string, LibraryEntry>, signal: AbortSignal | undefined): Promise<void> {
    const { model, batchSize, batchTimeoutMs } = this.#settings;
    this.#problems = [];
    for (const name of this.#vectors.keys()) if (!entries.has(name)) this.#vectors.delete(name);
    const missing = await this.#missing(entries, signal);
    try {
      for (let from = 0; from < missing.length; from += batchSize) {
        const batch = missing.slice(from, from + batchSize);
        const texts = batch.map(({ text }) => text);
        const vectors = await withTimeout(batchTimeoutMs, signal, async (either) => await model.documents(texts, either));
        for (const [index, wanted] of batch.entries()) {
          const vector = vectors[index];
          if (vector === undefined) continue;
          this.#keep(wanted.entry, vector);
          await this.#cached(async (cache) => await cache.set(wanted.key, vectorBytes(vector)));
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      this.#problems.push(searchDiagnostic('search-embedder-failed', `The embedder failed: ${messageOf(error)}`));
    }
  }

  /**
   * Finds skills by meaning, nearest first, or says why there is no result. Rejects only for an
   * abort.
   */
  async find(
    query: string,
    entries: ReadonlyMap<string, LibraryEntry>,
    limit: number,
    accepts: (entry: LibraryEntry) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<readonly LibraryEntry[] | SkillDiagnostic> {
    const { model, timeoutMs } = this.#settings;
    if (this.size === 0 || this.size < entries.size * enough)
      return searchDiagnostic('search-vectors-incomplete', `${this.size} of ${entries.size} skills have vectors.`);
    try {
      const vector = await withTimeout(timeoutMs, signal, async (either) => await model.query(query, either));
      return await this.#nearest(vector, entries, limit, accepts);
    } catch (error) {
      signal?.throwIfAborted();
      const code = SkillError.isInstance(error) && error.code === 'timeout' ? 'search-embedder-late' : 'search-embedder-failed';
      return searchDiagnostic(code, `The embedder failed on a request: ${messageOf(error)}`);
    }
  }

  /** Merges the names found by words with those found by meaning. */
  fuse(byWords: readonly string[], byMeaning: readonly string[]): { readonly item: string; readonly score: number }[] {
    return fuseRanks(byWords, byMeaning, this.#settings.fusion);
  }

  async #nearest(
    query: Float32Array,
    entries: ReadonlyMap<string, LibraryEntry>,
    limit: number,
    accepts: (entry: LibraryEntry) => boolean,
  ): Promise<LibraryEntry[]> {
    const pace = new Pace(multiplicationsPerSlice);
    const found: { readonly entry: LibraryEntry; readonly likeness: number }[] = [];
    for (const [name, entry] of entries) {
      const vector = this.#vectors.get(name)?.vector;
      if (vector?.length !== query.length) continue;
      found.push({ entry, likeness: dot(vector, query) });
      await pace.spend(query.length);
    }
    const nearest: LibraryEntry[] = [];
    for (const { entry } of found.sort((a, b) => b.likeness - a.likeness || (a.entry.name < b.entry.name ? -1 : 1))) {
      if (accepts(entry)) nearest.push(entry);
      if (nearest.length === limit) break;
    }
    return nearest;
  }

  async #missing(entries: ReadonlyMap<string, LibraryEntry>, signal: AbortSignal | undefined): Promise<Wanted[]> {
    const missing: Wanted[] = [];
    const unknown = [...entries.values()].filter(({ name, mark }) => this.#vectors.get(name)?.mark !== mark);
    await forEachBounded(
      unknown,
      8,
      async (entry) => {
        const { name, description } = skillText(entry.skill, '');
        const text = `${name}\n${description}`.slice(0, mostEmbedded);
        const key = await vectorKey(this.#settings.id, text);
        const vector = await this.#cached(async (cache) => vectorOfBytes((await cache.get(key)) ?? new Uint8Array()));
        if (vector === null) missing.push({ entry, text, key });
        else this.#keep(entry, vector);
      },
      signal,
    );
    return missing;
  }

  #keep({ name, mark }: LibraryEntry, vector: Float32Array): void {
    this.#vectors.set(name, { mark, vector });
  }

  async #cached<Value>(ask: (cache: SkillVectorCache) => Promise<Value>): Promise<Value | null> {
    const { cache } = this.#settings;
    if (cache === undefined) return null;
    try {
      return await ask(cache);
    } catch (error) {
      if (!this.#problems.some(({ code }) => code === 'search-vector-cache-failed'))
        this.#problems.push(searchDiagnostic('search-vector-cache-failed', `The cache of vectors failed: ${messageOf(error)}`));
      return null;
    }
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] as number) * (b[index] as number);
  return sum;
}
