import { createSkillSearch } from '@repertoire/skill-search';
import { chinese, german, spanish } from '@repertoire/skill-search/languages';
import type { SkillProvider } from '@repertoire/skills-core';
import type { SkillSearchAnswer, SkillSearchRequest } from '@repertoire/skills-core/provider';
import type { CommandReport } from '../commands/command.ts';

const progressEveryMs = 100;

/** Reads the whole library, then searches once. */
export async function searchSource(
  provider: SkillProvider,
  query: string,
  { references, ...request }: SkillSearchRequest & { readonly references?: boolean | undefined },
  report: Pick<CommandReport, 'progress'>,
): Promise<SkillSearchAnswer & { readonly skills: number }> {
  using search = createSkillSearch(provider, { languages: [chinese, german, spanish], references });
  const timer = setInterval(() => {
    const { skills, due } = search.status();
    report.progress(skills === 0 ? 'Listing skills…' : `Read ${skills - due} of ${skills} skills…`);
  }, progressEveryMs);
  try {
    const { skills } = await search.refresh({ signal: request.signal });
    return { ...(await search.search(query, request)), skills };
  } finally {
    clearInterval(timer);
  }
}
