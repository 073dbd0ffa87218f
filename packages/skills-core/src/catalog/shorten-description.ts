import { isWordCharacter, type OwnWord } from './own-words.ts';
import { withoutOpeners, type PlainDescription } from './shorten-openers.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { trimEndWhere } from '../contract/trim-end.ts';
import { oneLine } from '../prompt/escape.ts';

/** The part of the room that belongs to *when* a skill is to be used; what it does has the rest. */
const whenPart = 0.6;
/** The part of the room for what begins at a word of its own, where neither beginning has one. */
const ownPart = 0.5;
/** How far before such a word its clause may begin. */
const longestClauseStart = 30;
/** How far into a description it is looked for. */
const maxLooked = 2_000;

/**
 * Where a description begins to say when the skill is to be used: a sentence, or a part of one,
 * such as "Use when …", "Triggers on …" or "when the user …". A sentence that says when not to is
 * none. For text in lower case: compiling a pattern that ignores case takes ten times as long.
 */
const whenPattern =
  /(?:[.!?:;,—–-] |[。！？；，、])(?=(?:(?:al(?:ways|so)|only|proactively|best|(?:should|must|can) be) )*(?:used?|useful|invoked?|appl(?:y|ie[ds])|activated?|trigger(?:s|ed)?|load|choose|pick|call|run) (?:(?:proactively|this|it|skill|whenever|even|automatically) )*(?:when(?:ever)?|for|if|to|on|before|after|during|with|as|once|where)\b|when(?:ever)? |if (?:the user|a user|you|someone|asked)|trigger(?:s| words| phrases)?:|当|在需要|用于|适用|使用場面|場合|とき)| (?<!(?:\bnot|n't|except|even) )(?=when(?:ever)? (?:the user|a user|users|someone|asked|you)\b)/;

/** The same in the summary of a skill, which may have a field of its own for it. */
export function whenStartOf({ whenToUse }: Pick<SkillMetadata, 'whenToUse'>, summary: string): number {
  return whenToUse === undefined ? whenStart(summary) : summary.length - oneLine(whenToUse).length;
}

/** Where the part begins that says when; 0 if nothing does. */
export function whenStart(text: string): number {
  const looked = text.slice(0, maxLooked);
  const lower = looked.toLowerCase();
  // A few letters have a longer lower case, which would move the place.
  const found = whenPattern.exec(lower.length === looked.length ? lower : looked);
  return found === null ? 0 : found.index + found[0].length;
}

/**
 * A one-line description in at most `maxCharacters` UTF-16 units. Where it does not fit, openers
 * that nearly every description has are dropped first. Then it keeps the beginning of what the
 * skill does and the beginning of what says when to use it: the latter is what a model decides by.
 * More room never gives less text.
 *
 * @param start where the part begins that says when
 */
export function shortenDescription(text: string, maxCharacters: number, start: number = whenStart(text)): string {
  return text.length <= maxCharacters ? text : shortenWithoutOpeners(withoutOpeners(text, start), maxCharacters);
}

/**
 * The same, with a word in it that tells the skill apart from the others of the catalog. Where
 * neither beginning has one, the second part begins at the first such word, or at the clause that
 * it stands in.
 *
 * @param plain a description without openers
 * @param own the words of it that the fewest other skills have, in their order
 */
export function shortenTelling(plain: PlainDescription, maxCharacters: number, own: readonly OwnWord[]): string {
  const shortened = shortenWithoutOpeners(plain, maxCharacters);
  const [first] = own;
  if (first === undefined || hasOneOf(own, shortened)) return shortened;
  const { text } = plain;
  for (const from of [clauseOf(text, first.index), first.index]) {
    const room = Math.floor(maxCharacters) - 1;
    const telling = shortenText(text.slice(from), room - Math.min(from, Math.floor(room * (1 - ownPart))));
    if (from < first.index && !hasOneOf(own, telling)) continue;
    const before = text.slice(0, from).trimEnd();
    const beginning = shortenText(before, room - telling.length);
    return beginning === before ? shortenText(text, maxCharacters) : [beginning, telling].filter((part) => part !== '').join(' ');
  }
  return shortened;
}

/** Where the clause of a word begins, if that is not far before it; else where the word begins. */
function clauseOf(text: string, index: number): number {
  for (let at = index; at > Math.max(1, index - longestClauseStart); at -= 1)
    if (text[at - 1] === ' ' && ',;:.!?'.includes(text[at - 2] ?? ' ')) return at;
  return index;
}

function hasOneOf(own: readonly OwnWord[], text: string): boolean {
  const lower = text.toLowerCase();
  return own.some(({ word }) => {
    const at = lower.indexOf(word);
    return at !== -1 && !isWordCharacter(lower.charAt(at - 1)) && !isWordCharacter(lower.charAt(at + word.length));
  });
}

function shortenWithoutOpeners({ text, start }: PlainDescription, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  if (start === 0) return shortenText(text, maxCharacters);
  const head = text.slice(0, start).trimEnd();
  const when = text.slice(start);
  const room = Math.floor(maxCharacters) - 1;
  const forHead = Math.max(0, room - Math.min(when.length, Math.floor(room * whenPart)));
  const first = shortenText(head, forHead);
  const second = shortenText(when, room - Math.min(forHead, head.length));
  return [first, second].filter((part) => part !== '').join(' ');
}

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
