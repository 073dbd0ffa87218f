import { latinLetters, lookAlikeLetters } from './look-alike-letters.ts';
import { comparedCharacters, fold } from './near-names.ts';
import { isPlainName } from './skill-name.ts';

/**
 * The skeleton of a name (the term of UTS #39): the form in which names that a person or a model
 * could confuse are compared, without case, compatibility characters, what shows nothing, and the
 * difference of `_`, blanks and `-`; letters of Cyrillic, Greek and Armenian as the Latin ones that
 * they look like; of a long name, its first 256 characters; `0` as `o`; `1`, `i` and `|` as `l`;
 * `rn` as `m`.
 */
export function skeletonOf(given: string): string {
  const name = given.slice(0, comparedCharacters);
  // It is its own folded form, and has no letter of another script.
  if (isPlainName(name)) return withoutTwins(name);
  const folded = fold(name.replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800\uFFFC]/gu, ''));
  return withoutTwins(inLatinLetters(folded));
}

/** Small letters of Cyrillic, Greek and Armenian as the Latin ones that they look like. */
export function inLatinLetters(text: string): string {
  return text.replace(/[\u0370-\uFFFF]/g, (letter) => latinLetters[lookAlikeLetters.indexOf(letter)] ?? letter);
}

/** Skeletons of many names. Plain ones are processed in one piece, for a fast start. */
export function skeletonsOf(names: readonly string[]): readonly string[] {
  const isPlain = names.map(isPlainName);
  // A comma stays one, and nothing beside it changes.
  const looks = withoutTwins(names.filter((_, index) => isPlain[index]).join(',')).split(',');
  let next = -1;
  return names.map((name, index) => {
    if (isPlain[index] !== true) return skeletonOf(name);
    next += 1;
    return looks[next] ?? name;
  });
}

function withoutTwins(text: string): string {
  return text.replace(/[1i|]/g, 'l').replaceAll('0', 'o').replaceAll('rn', 'm');
}

/** A quoted name with escapes for everything but printable ASCII; its first 256 characters. */
export function visibleName(name: string): string {
  const shown = name.length > comparedCharacters ? `${name.slice(0, comparedCharacters)}…` : name;
  return JSON.stringify(shown).replace(/[^\x20-\x7E]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}
