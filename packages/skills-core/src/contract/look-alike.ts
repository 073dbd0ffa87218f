import { latinLetters, lookAlikeLetters } from './look-alike-letters.ts';
import { fold } from './near-names.ts';

/**
 * The form in which names that a person or a model could confuse are compared: without case, compatibility characters, what shows nothing, and the
 * difference of `_`, blanks and `-`; letters of Cyrillic, Greek and Armenian as the Latin ones that they look like; `0` as `o`; `1`, `i` and `|` as `l`; `rn` as `m`.
 *
 * @example
 * ```ts
 * import { lookOf } from '@repertoire/skills-core/provider';
 *
 * lookOf('bi\u04cf\u04cfing') === lookOf('billing'); // true
 * ```
 */
export function lookOf(name: string): string {
  return fold(name.replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu, ''))
    .replace(/[\u0370-\uFFFF]/g, (letter) => latinLetters[lookAlikeLetters.indexOf(letter)] ?? letter)
    .replace(/[1i|]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('rn', 'm');
}

/** A name in quotes, with everything in escapes that does not show, or shows like something else. */
export function visibleName(name: string): string {
  return JSON.stringify(name).replace(/[^\x20-\x7E]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}
