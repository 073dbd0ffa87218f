import { trimEndWhere } from '../contract/trim-end.ts';

const ellipsis = '…';

/** A sentence that ends within this part of the room is not followed by a torn one. */
const sentencePart = 0.8;
/** Above this part of the room, a word boundary is preferred. */
const wordPart = 0.5;

/**
 * The first part of a one-line text, with an ellipsis, in at most `maxCharacters` UTF-16 units. It
 * ends at a sentence where one ends near the limit, else at a word, else (in scripts without
 * spaces) between two characters. More room never gives less text. Empty where there is no room for
 * anything useful.
 */
export function shortenText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  // Room for the ellipsis, and for the blank before it where a sentence ends.
  const room = Math.floor(maxCharacters) - 2;
  if (room < 1) return '';
  const cut = trimEndWhere(text.slice(0, endWithin(text, room)), (character) => /[\s,;:([{"'`–—-]/.test(character));
  if (cut === '') return '';
  return /[.!?]$/u.test(cut) ? `${cut} ${ellipsis}` : `${cut}${ellipsis}`;
}

function endWithin(text: string, room: number): number {
  // One more character tells whether the room ends exactly where a word does.
  const head = text.slice(0, room + 1);
  const sentence = lastMatchEnd(head, /[.!?](?=\s)|[。！？]/gu);
  if (sentence >= room * sentencePart && sentence <= room) return sentence;
  const word = Math.max(head.lastIndexOf(' '), Math.min(sentence, room));
  return word >= room * wordPart ? word : Math.max(word, characterBoundary(text, room));
}

function lastMatchEnd(text: string, pattern: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

/** Never inside a surrogate pair, a letter with marks, or a joined emoji. */
function characterBoundary(text: string, at: number): number {
  let end = at;
  while (
    end > 0 &&
    (/^[\p{M}\p{Emoji_Modifier}\u200D\uFE0E\uFE0F]/u.test(text.slice(end, end + 2)) ||
      /^[\uDC00-\uDFFF]/.test(text.slice(end, end + 1)) ||
      text[end - 1] === '\u200D')
  ) {
    end -= 1;
  }
  return end;
}
