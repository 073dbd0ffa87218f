import type { SkillSearch } from '@repertoire/skills-core';
import type { SkillSearchRequest } from '@repertoire/skills-core/provider';

/** The names of what a search finds, best first. */
export async function names(search: SkillSearch, query: string, request?: SkillSearchRequest): Promise<string[]> {
  return (await search.search(query, request)).candidates.map(({ name }) => name);
}
