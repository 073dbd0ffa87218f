/** A character that people do not see and models read. */
export interface HiddenCharacter {
  /** Offset in the text. */
  readonly at: number;
  /** Such as `U+200B`. */
  readonly codePoint: string;
}

// Zero-width, bidirectional controls, invisible operators, tags, variation selectors of the supplement, and fillers.
const suspicious =
  /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu;
const joiners: ReadonlySet<string> = new Set(['\u200c', '\u200d']);
/** Scripts in which joiners are spelling, and marks of direction are ordinary. */
const joiningScripts =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const emojiPart = /[\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}]/u;
const tagCharacter = /[\u{e0020}-\u{e007f}]/u;
const marksOfDirection: ReadonlySet<string> = new Set(['\u200e', '\u200f', '\u061c']);

/** Finds hidden characters that no script and no emoji needs. A byte order mark at the start is not one. */
export function hiddenCharacters(text: string): HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  for (const match of text.matchAll(suspicious)) {
    const at = match.index;
    const character = match[0];
    if (isOrdinary(text, at, character)) continue;
    found.push({ at, codePoint: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}` });
  }
  return found;
}

/** The text without its hidden characters. */
export function withoutHiddenCharacters(text: string): string {
  let result = '';
  let from = 0;
  for (const { at } of hiddenCharacters(text)) {
    result += text.slice(from, at);
    from = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  }
  return result + text.slice(from);
}

function isOrdinary(text: string, at: number, character: string): boolean {
  if (character === '\ufeff') return at === 0;
  // A soft hyphen only matters where it hides inside a word of an instruction; in prose it is a hint for line breaks.
  const before = previousCharacter(text, at);
  const after = characterAt(text, at + character.length);
  if (joiners.has(character))
    return (emojiPart.test(before) && emojiPart.test(after)) || joiningScripts.test(before) || joiningScripts.test(after);
  if (marksOfDirection.has(character)) return joiningScripts.test(text.slice(Math.max(0, at - 40), at + 40));
  // The flags of England, Scotland and Wales are a black flag with tags behind it.
  if (tagCharacter.test(character) || character === '\u{e007f}') return isFlag(text, at);
  return false;
}

function isFlag(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 16), at);
  const start = before.lastIndexOf('\u{1f3f4}');
  return start !== -1 && /^[\u{e0020}-\u{e007f}]*$/u.test(before.slice(start + 2));
}

function previousCharacter(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(at - 2, at) : text.slice(Math.max(0, at - 1), at);
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}
