import { SkillError } from '../errors/skill-error.ts';
import { nearNames } from './near-names.ts';

/**
 * Refuses unknown options, so that a typo is noticed immediately, also without TypeScript.
 *
 * @param of the function whose options these are, such as `createSkillset`
 * @param known every option; type it as `Record<keyof Options, true>`, so that the compiler notices one that is missing
 * @throws {SkillError} `invalid-options` with the nearest option
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
