import { hiddenCharacters } from '@repertoire/skills-core/internal';

/** What ends lines, and what editors and terminals take for space. */
const controls = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F]/g;
/** Without one of these, the closer look is not needed. */
const ignorable = /\p{Default_Ignorable_Code_Point}/u;

/** Whether a character is one that may have to be told. */
export function isHiddenCharacter(character: string): boolean {
  return character.search(controls) !== -1 || ignorable.test(character);
}

/**
 * Characters that people do not see and models read. Those of links to emoji headings are allowed.
 */
export function hiddenIn(text: string): ReturnType<typeof hiddenCharacters> {
  const invisible = ignorable.test(text)
    ? hiddenCharacters(text).filter(({ at, codePoint }) => codePoint !== 'U+FE0F' || !isInFragment(text, at))
    : [];
  const found = Array.from(text.matchAll(controls), ({ index, 0: character }) => ({
    at: index,
    codePoint: `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  }));
  return found.length === 0 ? invisible : [...invisible, ...found].sort((a, b) => a.at - b.at);
}

/** Whether this is in a link to a heading: sites put emoji selectors into fragments. */
function isInFragment(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at);
  const start = before.lastIndexOf('](#');
  return start !== -1 && !/[)\s]/.test(before.slice(start));
}
