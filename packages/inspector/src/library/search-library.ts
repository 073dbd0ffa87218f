import { createSkillSearch, type IndexedSkillSearch } from '@repertoire/skill-search';
import { rankSkills, type SkillRanking, type SkillScoreExplanation } from '@repertoire/skill-search/analysis';
import type { Skill, SkillProvider } from '@repertoire/skills-core';

/** One skill that was found, and why. */
export interface SearchHit {
  readonly name: string;
  readonly score: number;
  /** The parts of the score; `null` where the skill was found by its meaning alone. */
  readonly explanation: SkillScoreExplanation | null;
}

/** Search over one state of a library. Dispose of it after a change. */
export interface LibrarySearch {
  search(query: string, signal?: AbortSignal): Promise<readonly SearchHit[]>;
  dispose(): Promise<void>;
}

const mostHits = 30;

/** Searches a library as an agent does, and explains each score. */
export function searchLibrary(provider: SkillProvider, skills: readonly Skill[]): LibrarySearch {
  let opened: { readonly search: IndexedSkillSearch; readonly ranking: Promise<SkillRanking> } | undefined;
  return {
    async search(query, signal) {
      opened ??= { search: createSkillSearch(provider), ranking: rankSkills(skills) };
      const ranking = await opened.ranking;
      const { candidates } = await opened.search.search(query, { limit: mostHits, audience: 'host', signal });
      const known = new Set(skills.map(({ name }) => name));
      return candidates.map(({ name, score }) => ({ name, score, explanation: known.has(name) ? ranking.explain(query, name) : null }));
    },
    async dispose() {
      await (opened?.search as Partial<AsyncDisposable> | undefined)?.[Symbol.asyncDispose]?.();
    },
  };
}
