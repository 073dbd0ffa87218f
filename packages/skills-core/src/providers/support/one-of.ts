import { SkillError } from '../../errors/skill-error.ts';

/**
 * The value of an option that is one of a few words. JavaScript may give any other.
 *
 * @param option the option as the host wrote it, such as `watch.mode`
 * @param of the function whose option it is
 * @throws {SkillError} `invalid-options` for another value: names the option, the function, the value, and what to give
 * @example
 * ```ts
 * import { oneOf } from '@repertoire/skills-core/internal';
 *
 * export function layoutOf(layout: 'flat' | 'nested' = 'flat'): 'flat' | 'nested' {
 *   return oneOf('layout', layout, ['flat', 'nested'], 'sqliteSkillProvider');
 * }
 * ```
 */
export function oneOf<Word extends string>(option: string, value: Word, words: readonly Word[], of: string): Word {
  if (words.includes(value)) return value;
  throw new SkillError(
    'invalid-options',
    `Option "${option}" of ${of} is ${JSON.stringify(value)}. Give ${words.map((word) => JSON.stringify(word)).join(' or ')}.`,
  );
}
