/** A character that people do not see and models read. */
export interface HiddenCharacter {
  /** Offset in the text, in UTF-16 units. */
  readonly at: number;
  /** Such as `U+200B`. */
  readonly codePoint: string;
}

/**
 * What shows nothing, except where a script or an emoji needs it: joiners and variation selectors
 * beside a character that is not of Latin, Greek, Cyrillic or Armenian; marks of direction near
 * Hebrew and Arabic; tags behind a black flag; selectors behind Han; the empty pattern near others
 * of Braille; a byte order mark at the start. Classes of Unicode are slow to make, so it is made
 * when a text is looked at.
 */
const hidden = (): RegExp =>
  // recheck: it looks at most 40 characters ahead and behind, and takes each character once.
  /(?<![^\x00-\u058F\p{Default_Ignorable_Code_Point}\s]|[©®])[\u180B-\u180F\u200C\u200D\uFE00-\uFE0F](?![^\x00-\u058F\p{Default_Ignorable_Code_Point}\s])|(?<![\u0590-\u08FF\uFB1D-\uFDFF].{0,40})[\u061C\u200E\u200F](?!.{0,40}[\u0590-\u08FF\uFB1D-\uFDFF])|(?<!\u{1F3F4}[\u{E0020}-\u{E007E}]{0,8})[\u{E0020}-\u{E007F}]|(?<!\p{Script=Han})[\u{E0100}-\u{E01EF}]|(?<![\u2801-\u28FF].{0,40})\u2800(?!.{0,40}[\u2801-\u28FF])|\uFFFC|(?!^\uFEFF|[\u061C\u180B-\u180F\u200C-\u200F\uFE00-\uFE0F\u{E0020}-\u{E007F}\u{E0100}-\u{E01EF}])\p{Default_Ignorable_Code_Point}/gu;

/**
 * Finds characters that people do not see and models read, and that no script and no emoji needs. A
 * body or a file keeps them, since what was reviewed, signed or locked is what is read; so they are
 * told.
 */
export function hiddenCharacters(text: string): readonly HiddenCharacter[] {
  return Array.from(text.matchAll(hidden()), ({ index, 0: character }) => ({
    at: index,
    codePoint: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  }));
}

/** Up to five different code points, for a message. */
export function codePointsOf(found: readonly HiddenCharacter[]): string {
  const names = [...new Set(found.map(({ codePoint }) => codePoint))];
  return `${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`;
}
