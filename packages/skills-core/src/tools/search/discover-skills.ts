import { assertKnownOptions, type OptionRules } from '../../contract/known-options.ts';
import { nearNames } from '../../contract/near-names.ts';
import type { SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import type { SkillSearch } from '../../contract/skill-search.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { numberOption } from '../../providers/support/number-option.ts';
import type { SkillDiscovery } from '../tool-host.ts';
import { fitCatalog } from './fit-catalog.ts';
import { describeSearchTool, mostCandidates, searchSkillsTool } from './search-skills.ts';

/** Options of {@link skillDiscovery}. */
export interface SkillDiscoveryOptions {
  /**
   * What the catalog lists beside the tool.
   *
   * - `beside`: every skill, within its budget, as without search.
   * - `search`: the skills of `alwaysListed`, and how the others are found.
   * - `auto`: as `beside` while the budget leaves a part of every description. Beyond that the
   *   skills of `alwaysListed`, then those used most (`catalog.usage`), each with a useful part of
   *   its description, and how the others are found.
   *
   * @default 'auto'
   */
  readonly mode?: 'auto' | 'beside' | 'search' | undefined;
  /** Names of skills that are always listed; the first are kept longest. @default none */
  readonly alwaysListed?: readonly string[] | undefined;
  /** How short descriptions may become that `auto` lists. @default 120 */
  readonly usefulCharacters?: number | undefined;
  /** How many candidates an answer has if the model does not say, from 1 to 20. @default 5 */
  readonly limit?: number | undefined;
  /**
   * What the host knows besides the request, in words: the repository, the plugin, the folder. A
   * function is called for each search. It only orders the skills that a request finds. @default
   * none
   */
  readonly context?: string | (() => string) | undefined;
  /** How long a search may take, in milliseconds; then the answer says so. @default 10_000 */
  readonly timeoutMs?: number | undefined;
}

const knownOptions: OptionRules<SkillDiscoveryOptions> = {
  mode: { auto: true, search: true, beside: true },
  alwaysListed: 'string[]',
  usefulCharacters: 'number',
  limit: 'number',
  context: { string: true, '()': true },
  timeoutMs: 'number',
};

/**
 * Lets a model search for skills instead of reading a list of all of them. It gives the session a
 * tool `search_skills`, which answers with candidates and the reason they were found, and never
 * loads one. Every skill stays loadable by name.
 *
 * @param search what finds skills, such as `createSkillSearch(provider)` of
 *   `@repertoire/skill-search`, over the provider of the skillset. The tool shows only skills that
 *   the session's catalog has.
 * @throws {SkillError} `invalid-options` without a search, or with options that cannot work
 * @example
 * ```ts
 * import { createSkillset, skillDiscovery, type SkillProvider, type SkillSearch } from '@repertoire/skills-core';
 *
 * export function withSearch(provider: SkillProvider, search: SkillSearch) {
 *   return createSkillset({ provider, discovery: skillDiscovery(search, { alwaysListed: ['house-style'] }) });
 * }
 * ```
 */
export function skillDiscovery(search: SkillSearch, options: SkillDiscoveryOptions = {}): SkillDiscovery {
  if (typeof search?.search !== 'function') {
    throw new SkillError(
      'invalid-options',
      'skillDiscovery needs a search, such as createSkillSearch(provider) of @repertoire/skill-search.',
    );
  }
  assertKnownOptions('skillDiscovery', options, knownOptions);
  const { mode = 'auto', alwaysListed = [], context } = options;
  const number = (name: 'usefulCharacters' | 'limit' | 'timeoutMs', fallback: number, most: number): number =>
    numberOption(name, options[name], { of: 'skillDiscovery', fallback, least: 1, most, whole: true });
  const usefulCharacters = number('usefulCharacters', 120, 10_000);
  const limit = number('limit', 5, mostCandidates);
  const timeoutMs = number('timeoutMs', 10_000, 600_000);
  const names: readonly string[] = [...new Set<string>(alwaysListed)];

  return {
    describeTool: describeSearchTool,
    tool: (host) => searchSkillsTool(host, search, { limit, timeoutMs, context }),
    fit: (skills, budget, writer) => fitCatalog(skills, budget, writer, { mode, alwaysListed: names, usefulCharacters }),
    diagnose: (skills) => alwaysListedDiagnostics(names, skills),
  };
}

/** Skills of `alwaysListed` that a session lacks. Code: `always-listed-missing` (warning). */
function alwaysListedDiagnostics(alwaysListed: readonly string[], skills: readonly SkillMetadata[]): readonly SkillDiagnostic[] {
  if (alwaysListed.length === 0) return [];
  const names = new Set(skills.map(({ name }) => name));
  return alwaysListed.flatMap((name): SkillDiagnostic[] => {
    if (names.has(name)) return [];
    const [near] = nearNames(name, [...names]);
    const message = `The skill ${JSON.stringify(name)} of \`alwaysListed\` is not among the skills that the model sees.`;
    const repair = near === undefined ? 'Correct `alwaysListed` of skillDiscovery, or' : `Did you mean ${JSON.stringify(near)}? Otherwise`;
    const fix = `${repair} look at \`select\`, \`permissions\` and the skill itself.`;
    return [{ code: 'always-listed-missing', severity: 'warning', message, fix }];
  });
}
