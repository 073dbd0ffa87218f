import { createSkillSearch, type IndexedSkillSearch } from '@repertoire/skill-search';
import type { SkillProvider } from '@repertoire/skills-core';
import { skillOf, type SearchRecord } from '../../src/search-record.ts';

/** The search of agents over the sections of this site, with an index that was made when the site was built. */
export class SiteSearch {
  readonly #records: ReadonlyMap<string, SearchRecord>;
  readonly #search: IndexedSkillSearch;

  private constructor(records: readonly SearchRecord[], index: Uint8Array) {
    this.#records = new Map(records.map((record) => [record.name, record]));
    const provider: SkillProvider = {
      label: 'site',
      listSkills: async () => ({ skills: records.map(skillOf), diagnostics: [], complete: true }),
      // The index has read every section.
      getSkill: async () => null,
      readResource: async () => null,
    };
    this.#search = createSkillSearch(provider, { index, staleAfterMs: Number.MAX_SAFE_INTEGER });
  }

  static async load(base: string): Promise<SiteSearch> {
    const [records, index] = await Promise.all([fetch(`${base}search.json`), fetch(`${base}search.bin`)]);
    if (!records.ok || !index.ok) throw new Error('The index of the search cannot be fetched.');
    return new SiteSearch((await records.json()) as SearchRecord[], new Uint8Array(await index.arrayBuffer()));
  }

  /** Headings that begin with what was typed, since its last word may not be whole; then what the search finds. */
  async find(query: string): Promise<SearchRecord[]> {
    const typed = query.trim().toLowerCase();
    if (typed === '') return [];
    const { candidates } = await this.#search.search(query, { limit: 60 });
    const found = candidates
      .flatMap(({ name, score }) => {
        const record = this.#records.get(name);
        return record === undefined ? [] : [{ record, score: score * weightOf(record.link) }];
      })
      .toSorted((a, b) => b.score - a.score)
      .map(({ record }) => record);
    const begun = [...this.#records.values()].filter(({ title }) => title.toLowerCase().startsWith(typed)).slice(0, 4);
    return [...new Set([...begun, ...found])].slice(0, 20);
  }
}

/** Who asks in words wants a page that explains before one that lists. A name that is typed is found by the beginning of the heading. */
function weightOf(link: string): number {
  return /^\/(?:api|features|seeds|benchmarks)\b/.test(link) ? 0.6 : 1;
}
