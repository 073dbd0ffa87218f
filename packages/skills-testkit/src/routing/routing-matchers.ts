import type { RoutedLibrary } from './routed-library.ts';

/** What {@link routingMatchers} adds to `expect`. */
export interface RoutingMatchers<Result = unknown> {
  /** Expects that the request finds this skill first, or among the first `among`. */
  toRoute(prompt: string, skill: string, options?: { readonly among?: number | undefined }): Result;
}

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

const mostShown = 5;

/**
 * Matchers for Vitest, to test routing in a test suite. They use a {@link routedLibrary}, and no
 * model.
 *
 * @example
 * ```ts
 * import { SkillRegistry } from '@repertoire/skills-core';
 * import { routedLibrary, routingMatchers } from '@repertoire/skills-testkit/routing';
 * import { expect, it } from 'vitest';
 *
 * expect.extend(routingMatchers);
 *
 * it('chooses the right skill', async () => {
 *   const library = await routedLibrary(
 *     new SkillRegistry({ skills: [{ name: 'sql-tuning', description: 'Makes slow queries fast.', body: '' }] }),
 *   );
 *   expect(library).toRoute('Why is this query slow?', 'sql-tuning');
 *   expect(library).not.toRoute('Write a haiku.', 'sql-tuning');
 * });
 * ```
 */
export const routingMatchers = {
  toRoute(library: RoutedLibrary, prompt: string, skill: string, options: { readonly among?: number | undefined } = {}): MatcherResult {
    const { among = 1 } = options;
    if (typeof library?.route !== 'function')
      return { pass: false, message: () => 'toRoute needs a library: expect(await routedLibrary(provider)).' };
    // Otherwise `not.toRoute` with a misspelt name would always pass.
    if (!library.skills.includes(skill))
      throw new Error(`No skill of the library is named ${JSON.stringify(skill)}. There are: ${library.skills.join(', ')}.`);
    const found = library.route(prompt).map(({ name }) => name);
    const at = found.indexOf(skill);
    const pass = at !== -1 && at < among;
    const message = (): string => {
      const rows = found
        .slice(0, mostShown)
        .map((name, index) => `  ${index + 1}. ${name}  ${library.words(prompt, name).slice(0, 8).join(', ')}`);
      const listed = rows.length === 0 ? '  nothing: no word of it is in the library' : rows.join('\n');
      const own = pass ? '' : at === -1 ? `\n${skill} was not found.` : at >= mostShown ? `\n${skill} is number ${at + 1}.` : '';
      const place = among === 1 ? 'first' : `among the first ${among}`;
      return `expected ${JSON.stringify(prompt)} ${pass ? 'not ' : ''}to find ${skill} ${place}. It found, by these words:\n${listed}${own}`;
    };
    return { pass, message };
  },
};

declare module 'vitest' {
  // Must have the parameters that Vitest declares, otherwise the interfaces do not merge.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends RoutingMatchers<R> {}
}
