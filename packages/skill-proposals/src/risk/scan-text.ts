import { commandStarts } from './commands.ts';
import { phraseStarts } from './phrases.ts';
import { isOddCharacter, oddInWord, spelledByDigits, digitInWord } from './plain-text.ts';
import { isHiddenCharacter } from './hidden-in.ts';

/**
 * What one look at every character of a text tells. Most texts have little that has to be looked
 * for.
 */
export interface ScannedText {
  /** Where words begin that may be said of phrases, in order. */
  readonly phrases: readonly number[];
  /** The same for commands. */
  readonly commands: readonly number[];
  /** Whether the text has anything by which words can be written so that a search misses them. */
  readonly isOdd: boolean;
  /** Whether it may have characters that nobody sees. */
  readonly mayHide: boolean;
  readonly hasGreekOrCyrillic: boolean;
  readonly hasHan: boolean;
}

const ofPhrases = 1;
const ofPhrasesInWord = 2;
const ofCommands = 4;
const ofCommandsInWord = 8;
const ofDigits = 16;

const anyCharacter = Array.from({ length: 32 }, (_, index) => index);
/** By the last five bits of three characters, which capitals share: what may begin with these. */
const table = new Uint8Array(2 ** 15);
mark(ofPhrases, phraseStarts.words);
mark(ofPhrasesInWord, phraseStarts.marks);
mark(ofCommands, commandStarts.words);
mark(ofCommandsInWord, commandStarts.marks);
mark(ofDigits, spelledByDigits.source.slice(spelledByDigits.source.indexOf('(?:'), -2));

/** At one place alone. */
const spelledHere = new RegExp(spelledByDigits.source, 'iy');

/** Marks three characters that an alternative of a pattern may begin with. */
function mark(bit: number, pattern: string): void {
  for (const alternative of alternativesOf(pattern)) {
    let hashes = [0];
    for (const characters of startOf(alternative)) hashes = hashes.flatMap((hash) => characters.map((one) => (hash << 5) | one));
    for (const hash of hashes) table[hash] = (table[hash] ?? 0) | bit;
  }
}

/** The alternatives of a pattern, where groups near their beginning are taken apart. */
function alternativesOf(pattern: string): string[] {
  const parts: string[] = [];
  let [depth, from, close] = [0, 0, -1];
  for (let at = 0; at <= pattern.length; at += 1) {
    const one = pattern[at];
    if (one === '\\') at += 1;
    else if (one === '[') at = pattern.indexOf(']', at);
    else if (one === '(') depth += 1;
    else if (one === ')') {
      depth -= 1;
      if (depth === 0 && close === -1) close = at;
    } else if (one === undefined || (one === '|' && depth === 0)) {
      const part = pattern.slice(from, at);
      // recheck: it looks at anchors of these modules.
      const [opening = '', before = ''] = /^([^\\[(]?|\\.)\(\?:/.exec(part) ?? [];
      const rest = pattern.slice(close + 1, at);
      if (opening !== '' && !/^[?*{]/.test(rest))
        parts.push(
          ...alternativesOf(pattern.slice(from + opening.length, close)).flatMap((inner) => alternativesOf(`${before}${inner}${rest}`)),
        );
      else parts.push(part);
      [from, close] = [at + 1, -1];
    }
  }
  return parts;
}

/** For each of the first three characters of a pattern, what they may be. */
function startOf(pattern: string): readonly (readonly number[])[] {
  const start: (readonly number[])[] = [];
  for (let at = 0; start.length < 3; at += 1) {
    // recheck: it looks at anchors of these modules.
    const [whole = '', inClass, escaped] = /^(?:\[([^\]^\\-]+)\]|\\(\W)|[^\\[(.?*+{|])/.exec(pattern.slice(at)) ?? [];
    // What follows may repeat it or leave it out.
    if (whole === '' || /^[?*{]/.test(pattern.slice(at + whole.length))) break;
    start.push(Array.from(inClass ?? escaped ?? whole, (one) => one.charCodeAt(0) & 31));
    at += whole.length - 1;
  }
  return [...start, anyCharacter, anyCharacter, anyCharacter].slice(0, 3);
}

const isWord = 1;
const isLetter = 2;
/** Where marks can part a word. */
const isPart = 4;
const isControl = 8;
const isSeparator = 16;
const ascii = Uint8Array.from({ length: 128 }, (_, code) => {
  const one = String.fromCharCode(code);
  return (
    (/\w/.test(one) ? isWord : 0) |
    (/[A-Za-z]/.test(one) ? isLetter : 0) |
    (/[*<\\&]/.test(one) ? isPart : 0) |
    (/[ ._-]/.test(one) ? isSeparator : 0) |
    (isHiddenCharacter(one) ? isControl : 0)
  );
});

/** What a character outside of ASCII is: 1 when it was looked at, 2 odd, 4 hidden. */
const others = new Uint8Array(2 ** 16);
function otherKind(character: string): number {
  return 1 | (isOddCharacter(character) ? 2 : 0) | (isHiddenCharacter(character) ? 4 : 0);
}

/** Looks at every character of a text once. */
export function scanText(text: string): ScannedText {
  const phrases: number[] = [];
  const commands: number[] = [];
  let [isOdd, mayHide, hasGreekOrCyrillic, hasHan, isSpelled] = [false, false, false, false, false];
  let hash = 0;
  // Kinds of the last four characters: `third` stands right before the three of the hash.
  let [first, second, third] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    let kind = 0;
    if (code < 128) {
      kind = ascii[code] ?? 0;
      if (kind >= isPart && !isOdd) {
        if ((kind & isPart) !== 0) {
          // An entity, or a mark right behind a letter.
          if (code === 38) isOdd = isOddAt(text, at);
          else if ((first & isLetter) !== 0) isOdd = isOddAt(text, at - 1);
        } else if ((kind & isControl) !== 0) isOdd = true;
        else if ((first & isLetter) !== 0 && (second & isWord) === 0 && isSpaced(text, at)) isOdd = isOddAt(text, at - 1);
      }
      if ((kind & isControl) !== 0) mayHide = true;
    } else {
      let other = code >= 0xd800 && code < 0xdc00 ? otherKind(String.fromCodePoint(text.codePointAt(at) ?? 0)) : (others[code] ?? 0);
      if (other === 0) other = others[code] = otherKind(text[at] ?? '');
      if ((other & 2) !== 0) isOdd = true;
      if ((other & 4) !== 0) mayHide = true;
      if (code >= 0x370 && code < 0x590) hasGreekOrCyrillic = true;
      else if (code >= 0x4e00 && code <= 0x9fff) hasHan = true;
      else if (code === 0xb7 && !isOdd && (first & isLetter) !== 0 && (second & isWord) === 0) isOdd = isOddAt(text, at - 1);
    }
    hash = ((hash << 5) | (code & 31)) & 0x7fff;
    const begins = at < 2 ? 0 : (table[hash] ?? 0);
    if (begins !== 0) {
      const start = at - 2;
      // `second` is the kind of the first of the three.
      const isStart = (second & isWord) !== 0 && (third & isWord) === 0;
      if ((begins & ofPhrasesInWord) !== 0 || (isStart && (begins & ofPhrases) !== 0)) phrases.push(start);
      if ((begins & ofCommandsInWord) !== 0 || (isStart && (begins & ofCommands) !== 0)) commands.push(start);
      if ((begins & ofDigits) !== 0 && !isSpelled) {
        spelledHere.lastIndex = start;
        isSpelled = spelledHere.test(text);
      }
    }
    third = second;
    second = first;
    first = kind;
  }
  return { phrases, commands, isOdd: isOdd || (isSpelled && digitInWord.test(text)), mayHide, hasGreekOrCyrillic, hasHan };
}

function isOddAt(text: string, at: number): boolean {
  oddInWord.lastIndex = at;
  return oddInWord.test(text);
}

/** Whether another separator stands behind the next letter. */
function isSpaced(text: string, at: number): boolean {
  const code = text.charCodeAt(at + 2);
  return code === 32 || code === 46 || code === 95 || code === 45 || code === 0xb7;
}
