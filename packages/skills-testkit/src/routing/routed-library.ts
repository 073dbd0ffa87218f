import { rankSkills, type RankedSkill, type SkillRanking } from '@repertoire/skill-search/analysis';
import type { SkillProvider } from '@repertoire/skills-core';
import { assertKnownOptions, newestOfEach, type OptionRules } from '@repertoire/skills-core/internal';
import { readListing } from '@repertoire/skills-core/provider';

/** Options of {@link routedLibrary}. */
export interface RoutedLibraryOptions {
  /** Also ranks by instructions. @default false: by names and descriptions, as models choose */
  readonly bodies?: boolean | undefined;
  /** Aborts reading. @default never aborted */
  readonly signal?: AbortSignal | undefined;
}

/** A library that answers requests by words, without a model. */
export interface RoutedLibrary {
  /** Names of its skills, sorted. */
  readonly skills: readonly string[];
  /** The skills that a request finds, best first. @default limit: all */
  route(prompt: string, options?: { readonly limit?: number | undefined }): readonly RankedSkill[];
  /**
   * Words by which a request finds a skill, strongest first. @throws {SkillError} `skill-not-found`
   */
  words(prompt: string, skill: string): readonly string[];
}

const knownOptions: OptionRules<RoutedLibraryOptions> = {
  bodies: 'boolean',
  signal: '{}',
};

/**
 * Reads a library for the matchers of {@link routingMatchers}. It keeps the current newest version
 * of each skill; create a new one after a change.
 *
 * @throws {SkillError} `invalid-options`; what the provider rejects with
 * @example
 * ```ts
 * import { SkillRegistry } from '@repertoire/skills-core';
 * import { routedLibrary } from '@repertoire/skills-testkit/routing';
 *
 * const library = await routedLibrary(
 *   new SkillRegistry({ skills: [{ name: 'refunds', description: 'Gives money back. Use when a customer wants a refund.', body: '' }] }),
 * );
 * export const first = library.route('Please refund this order.')[0]?.name; // 'refunds'
 * ```
 */
export async function routedLibrary(provider: SkillProvider, options: RoutedLibraryOptions = {}): Promise<RoutedLibrary> {
  assertKnownOptions('routedLibrary', options, knownOptions);
  const { bodies = false, signal } = options;
  const { skills } = await readListing(provider, { signal });
  const newest = newestOfEach(skills);
  const read = await Promise.all(
    newest.map(async (skill) => ({
      ...skill,
      body: bodies ? ((await provider.getSkill(skill.name, { version: skill.version, signal }))?.body ?? '') : '',
    })),
  );
  const ranking: SkillRanking = await rankSkills(read);
  return {
    skills: newest.map(({ name }) => name).sort(),
    route: (prompt, { limit } = {}) => ranking.find(prompt, limit === undefined ? {} : { limit }),
    words: (prompt, skill) => (ranking.explain(prompt, skill)?.terms ?? []).map(({ text }) => text),
  };
}
