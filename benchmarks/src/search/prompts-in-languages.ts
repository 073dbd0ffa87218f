import prompts from './prompts-in-languages.json' with { type: 'json' };
import { rankSkills } from '@repertoire/skill-search/analysis';
import type { SearchLanguage } from '@repertoire/skill-search/languages';
import type { SearchCorpus } from './search-corpus.ts';

/** The languages that prompts of our own are in. The same ones in each, about published skills, which are all in English. */
export const promptLanguages = ['English', 'German', 'Spanish', 'Chinese'] as const;

/** Number of prompts in each language. */
export const promptCount: number = prompts.length;

/** For how many of 100 prompts in a language a skill that they are for comes first, and among five. */
export interface LanguageShares {
  readonly language: (typeof promptLanguages)[number];
  readonly first: number;
  readonly among: number;
}

/** Runs the prompts of all languages through a library. Several skills may be right for one: libraries have more than one for reviews. */
export async function languageShares({ skills }: SearchCorpus, languages: readonly SearchLanguage[]): Promise<LanguageShares[]> {
  const ranking = await rankSkills(
    skills.map(({ metadata, body }) => ({ ...metadata, body })),
    { languages },
  );
  return promptLanguages.map((language, column) => {
    const ranks = prompts.map((row) => {
      const wanted = (row[0] ?? '').split(' ');
      return ranking.find(row[column + 1] ?? '', { limit: 5 }).findIndex(({ name }) => wanted.includes(name));
    });
    const share = (most: number): number => (100 * ranks.filter((rank) => rank >= 0 && rank < most).length) / ranks.length;
    return { language, first: share(1), among: share(5) };
  });
}
