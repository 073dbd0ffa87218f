import { SkillError } from '../errors/skill-error.ts';
import { nearNames } from './near-names.ts';

/**
 * Refuses unknown options, so that a typo is noticed immediately, also without TypeScript.
 *
 * @param of the function whose options these are, such as `createSkillset`
 * @param known every option; type it as `Record<keyof Options, true>`, so that the compiler notices one that is missing
 * @throws {SkillError} `invalid-options` with the nearest option
 * @example
 * ```ts
 * import { assertKnownOptions } from '@repertoire/skills-core/internal';
 *
 * interface Options {
 *   readonly label?: string;
 * }
 * const known: Record<keyof Options, true> = { label: true };
 *
 * export function rowProvider(options: Options): void {
 *   assertKnownOptions('rowProvider', options, known);
 * }
 * ```
 */
export function assertKnownOptions(of: string, options: object, known: Readonly<Record<string, true>>): void {
  for (const option of Object.keys(options)) {
    if (Object.hasOwn(known, option)) continue;
    const [near] = nearNames(option, Object.keys(known));
    throw new SkillError(
      'invalid-options',
      `${of} has no option ${JSON.stringify(option)}.${near === undefined ? ` It has: ${Object.keys(known).join(', ')}.` : ` Did you mean ${JSON.stringify(near)}?`}`,
    );
  }
}
