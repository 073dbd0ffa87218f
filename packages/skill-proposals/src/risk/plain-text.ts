import { inLatinLetters } from '@repertoire/skills-core/internal';
import { matchesOf } from './matches-at.ts';

/** A text as its reader takes it, with the place of each character in the original. */
export class PlainText {
  #text: string;
  readonly #from: number;
  readonly #edits: { readonly out: number[]; readonly shift: number[] }[] = [];

  /** @param from where it begins in the original */
  constructor(text: string, from = 0) {
    this.#text = text;
    this.#from = from;
  }

  get text(): string {
    return this.#text;
  }

  /** Replaces what a form finds, and remembers what stood where. */
  replace(form: RegExp, by: (found: string, ...groups: string[]) => string): this {
    const out: number[] = [];
    const shift: number[] = [];
    let result = '';
    let from = 0;
    for (const match of matchesOf(form, this.#text)) {
      const next = by(...(match as unknown as [string, ...string[]]));
      if (next === match[0]) continue;
      result += this.#text.slice(from, match.index) + next;
      from = match.index + match[0].length;
      out.push(result.length);
      shift.push(from - result.length);
    }
    if (out.length === 0) return this;
    this.#text = result + this.#text.slice(from);
    this.#edits.push({ out, shift });
    return this;
  }

  /** Offset in the original of a character here. */
  originOf(at: number): number {
    let place = at;
    for (const { out, shift } of this.#edits.toReversed()) {
      let [low, high] = [0, out.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((out[middle] ?? 0) <= place) low = middle + 1;
        else high = middle;
      }
      place += shift[low - 1] ?? 0;
    }
    return this.#from + place;
  }
}

const named: Readonly<Record<string, string>> = { nbsp: ' ', lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", shy: '', zwnj: '', zwj: '' };
/** Letters that only look like those of this script, in words of it. */
const foreign = /[\u0370-\u058F\u1D00-\u1DBF\u2100-\u214F\u2460-\u24FF\uFF01-\uFF5E\u{1D400}-\u{1D7FF}\u{1F130}-\u{1F189}]/u;
const oddCharacter =
  // Without regard to capitals, the sign of kelvin would be a k.
  // recheck: it looks at one character.
  /[\p{Default_Ignorable_Code_Point}\u0000-\u0008\u000E-\u001F\u007F\u2800\uFFFC\u0370-\u058F\u1D00-\u1DBF\u2100-\u214F\u2460-\u24FF\uFF01-\uFF5E\u{1D400}-\u{1D7FF}\u{1F130}-\u{1F189}]/u;
/** Other ways to part a word, at the place at which it is asked. */
export const oddInWord: RegExp =
  // recheck: it looks at one place, and each alternative is bounded.
  /&(?:#[xX]?[\dA-Fa-f]{1,6}|shy|zwn?j|nbsp);|[A-Za-z](?:\*{1,3}|<\/?[A-Za-z]{1,8}>|<!--[^>]{0,40}-->|\\)[A-Za-z]|\b[A-Za-z](?:[ .·_-][A-Za-z]){5}\b/uy;
/** It begins with a rare character, so that the engine skips most text. */
const digitInWord: RegExp = /[013457@$](?<=[a-z].)(?=[a-z]{2})|[01$](?<=\b.)(?=[a-z]{3})/i;
/** The words by which others are recognized, with digits in them. */
export const spelledByDigits: RegExp =
  /\b(?=[a-z]{0,12}[013457@$])(?:[i1]gn[o0]r[e3]|d[i1][s5$]r[e3]g[a4@]rd|f[o0]rg[e3][t7]|[o0]v[e3]rr[i1]d[e3]|byp[a4@][s5$]{2}|[s5$][e3]cr[e3][t7]ly|pr[e3]v[i1][o0]u[s5$]|[i1]n[s5$][t7]ruc[t7][i1][o0]n[s5$])\b/i;

/** Whether a character may hide a word, or stand for another one. */
export function isOddCharacter(character: string): boolean {
  return oddCharacter.test(character);
}

/**
 * The text as a model takes it: without what nobody sees, with tags, entities, spaced letters,
 * digits in words, marks inside of words and letters of other scripts as what they stand for.
 */
export function plainText(plain: PlainText): PlainText {
  plain
    // Tags are ASCII that nobody sees.
    .replace(/[\u{E0020}-\u{E007E}]/gu, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000))
    .replace(/[\p{Default_Ignorable_Code_Point}\u0000-\u0008\u000E-\u001F\u007F\u2800\uFFFC]/gu, () => '')
    .replace(/&(?:#(x?)([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, hex = '', number = '', name = '') => {
      if (name !== '') return named[name.toLowerCase()] ?? whole;
      const code = Number.parseInt(number, hex === '' ? 10 : 16);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : whole;
    });
  if (foreign.test(plain.text))
    plain
      .replace(/[\u1D00-\u1DBF\u2100-\u214F\u2460-\u24FF\uFF01-\uFF5E\u{1D400}-\u{1D7FF}\u{1F130}-\u{1F189}]/gu, (one) =>
        one.normalize('NFKC'),
      )
      // recheck: each part is bounded.
      .replace(/[\p{L}\p{M}]{0,60}[\u0370-\u058F][\p{L}\p{M}]{0,60}/gu, latinWord);
  plain
    // recheck: each part is bounded.
    .replace(/(?<=[a-z])(?:\*{1,3}|<\/?[a-z]{1,8}>|<!--[^>]{0,40}-->|\\)(?=[a-z])/gi, () => '')
    // Two blanks or another mark part words.
    .replace(/\b[a-z](?:[ .·_-][a-z]){5,80}\b/gi, (letters) => letters.replace(/[ .·_-]/g, ''));
  if (digitInWord.test(plain.text) && spelledByDigits.test(plain.text))
    plain.replace(/\b(?=[a-z]{0,20}[013457@$])[a-z013457@$]{3,20}\b/gi, (word) =>
      /[a-z]/i.test(word) ? word.replace(/[013457@$]/g, (one) => digits[one] ?? one) : word,
    );
  return plain;
}

const digits: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' };

/** A word of letters that all look Latin, in Latin letters; any other word as it is. */
function latinWord(word: string): string {
  const latin = inLatinLetters(word.toLowerCase());
  return /^[a-z]+$/.test(latin) ? latin : word;
}

/** Words in which letters of another script stand for Latin ones, with their places. */
export function mixedWords(text: string): readonly { readonly at: number; readonly word: string }[] {
  if (!/[\u0370-\u058F]/.test(text)) return [];
  return Array.from(text.matchAll(/\p{L}{4,60}/gu), ({ index, 0: word }) => ({ at: index, word })).filter(
    ({ word }) =>
      /[a-z]{2}/i.test(word) &&
      !/[ΓΔΘΛΞΠΣΦΨΩ]/.test(word) &&
      /[\u0370-\u058F]/.test(word) &&
      /^[a-z]+$/.test(inLatinLetters(word.toLowerCase())),
  );
}

const control = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F]/;

/** What a text of base64 says; `null` where it is none, or says nothing that can be read. */
export function decodedText(encoded: string): string | null {
  // Most long words are paths, and say nothing.
  if (encoded.length % 4 === 1 || control.test(atob(encoded.slice(0, 24)))) return null;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /^[\t\n\r\x20-\x7E\u00A0-\uFFEF]{8,}$/.test(text) && /[a-z]{2} /i.test(text) ? text : null;
  } catch {
    return null;
  }
}
