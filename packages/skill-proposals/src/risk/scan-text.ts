import { commandStarts } from './commands.ts';
import { isHiddenCharacter } from './hidden-in.ts';
import { phraseStarts } from './phrases.ts';
import { isOddCharacter, oddInWord, spelledByDigits } from './plain-text.ts';

/**
 * What one look at every character of a text tells. Most texts have little that has to be looked
 * for.
 */
export interface ScannedText {
  /** Where words begin that may be said of phrases, in order. */
  readonly phrases: readonly number[];
  /** The same for commands. */
  readonly commands: readonly number[];
  /** The same for what a page does not show. */
  readonly unshown: readonly number[];
  /**
   * Paragraphs, by where they begin and end, that have anything by which words can be written so
   * that a search misses them.
   */
  readonly odd: readonly (readonly [number, number])[];
  /** Whether it may have characters that nobody sees. */
  readonly mayHide: boolean;
  readonly hasGreekOrCyrillic: boolean;
  readonly hasHan: boolean;
}

const encoder = new TextEncoder();
const ofPhrases = 1;
const ofPhrasesInWord = 2;
const ofCommands = 4;
const ofCommandsInWord = 8;
const ofDigits = 16;
const ofUnshown = 32;

/**
 * By the last five bits of three bytes, which capitals share: what may begin with these. Behind it
 * stand bits for the fourth and the fifth byte.
 */
const table = new Uint8Array(2 ** 15);
const fourth = new Int32Array(2 ** 15);
const fifth = new Int32Array(2 ** 15);
let isFilled = false;

/** Fills the tables at the first text: it takes as long as the rest of the import. */
function fillTables(): void {
  isFilled = true;
  mark(ofPhrases, phraseStarts.words);
  mark(ofPhrasesInWord, phraseStarts.marks);
  mark(ofCommands, commandStarts.words);
  mark(ofCommandsInWord, commandStarts.marks);
  mark(ofDigits, spelledByDigits.source.slice(spelledByDigits.source.indexOf('(?:'), -2));
  mark(ofUnshown, '<!--|\\[(?:\\/\\/|comment|_|#)\\]:|<(?:span|div|p|details|section|font|small|template)');
}

/** At one place alone. */
const spelledHere = new RegExp(spelledByDigits.source, 'iy');

/** Marks the bytes that an alternative of a pattern may begin with. */
function mark(bit: number, pattern: string): void {
  for (const start of alternativesOf(pattern).flatMap(startsOf)) {
    const bits = start.map((byte) => (byte === null ? Array.from({ length: 32 }, (_, index) => index) : [byte & 31]));
    const [a = [], b = [], c = [], d = [], e = []] = bits;
    for (const hash of a.flatMap((one) => b.flatMap((two) => c.map((three) => (one << 10) | (two << 5) | three)))) {
      table[hash] = (table[hash] ?? 0) | bit;
      for (const one of d) fourth[hash] = (fourth[hash] ?? 0) | (1 << one);
      for (const one of e) fifth[hash] = (fifth[hash] ?? 0) | (1 << one);
    }
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
      const [opening = '', before = ''] = /^([^\\[(]{0,3}?|\\.)\(\?:/.exec(part) ?? [];
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

/** What the first five bytes of a pattern may be; `null` is any. */
function startsOf(pattern: string): (number | null)[][] {
  let starts: (number | null)[][] = [[]];
  for (let at = 0; starts.some(({ length }) => length < 5); at += 1) {
    // recheck: it looks at anchors of these modules.
    const [whole = '', inClass, escaped] = /^(?:\[([^\]^\\-]+)\]|\\(\W)|[^\\[(.?*+{|])/.exec(pattern.slice(at)) ?? [];
    // What follows may repeat it or leave it out.
    if (whole === '' || /^[?*{]/.test(pattern.slice(at + whole.length))) break;
    starts = Array.from(inClass ?? escaped ?? whole, (one) => [...encoder.encode(one)]).flatMap((bytes) =>
      starts.map((start) => [...start, ...bytes]),
    );
    at += whole.length - 1;
  }
  return starts.map((start) => [...start, null, null, null, null, null].slice(0, 5));
}

// Kinds of bytes. The two lowest bits tell letters and what parts spaced letters.
const isLetter = 1;
const isSeparator = 2;
const isWord = 4;
/** From here on, a byte is looked at closely. */
const isRare = 8;
const isControl = 16;
const kinds = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= 128) return code >= 192 ? isRare : 0;
  const one = String.fromCharCode(code);
  return (
    (/[A-Za-z]/.test(one) ? isLetter : 0) |
    (/[ ._-]/.test(one) ? isSeparator : 0) |
    (/\w/.test(one) ? isWord : 0) |
    (/[*<\\&]/.test(one) ? isRare : 0) |
    (isHiddenCharacter(one) ? isRare | isControl : 0)
  );
});
/** The kinds of five characters: letters, with one character between them. */
const spaced = 0b01_10_01_10_01;

const isKnown = 1;
const isOdd = 2;
const isHidden = 4;
/** What a character outside of ASCII is. */
const others = new Uint8Array(0x110000);

/** Bytes are looked at much faster than characters. */
let bytes = new Uint8Array(2 ** 16);
let places = new Int32Array(2 ** 16);

/** Looks at every byte, and writes down where something is. It says how many places these are. */
function findPlaces(length: number): number {
  const [looked, found] = [bytes, places];
  let [count, hash, shape] = [0, 0, 0];
  for (let at = 0; at < length; at += 1) {
    const byte = looked[at] ?? 0;
    const kind = kinds[byte] ?? 0;
    hash = ((hash << 5) | (byte & 31)) & 0x7fff;
    shape = ((shape << 2) | (kind & 3)) & 0x3ff;
    if (table[hash] !== 0 || kind >= isRare || shape === spaced) {
      found[count] = at;
      count += 1;
    }
  }
  return count;
}

/** Looks at every character of a text once. */
export function scanText(text: string): ScannedText {
  if (!isFilled) fillTables();
  if (bytes.length < text.length * 3 + 3) {
    bytes = new Uint8Array(text.length * 3 + 3);
    places = new Int32Array(bytes.length);
  }
  const { written } = encoder.encodeInto(text, bytes);
  // What comes next is looked at, too.
  bytes.fill(0, written, written + 3);
  const scan = new Scan(text);
  for (let index = 0, count = findPlaces(written); index < count; index += 1) scan.look(places[index] ?? 0);
  return scan;
}

class Scan implements ScannedText {
  readonly phrases: number[] = [];
  readonly commands: number[] = [];
  readonly unshown: number[] = [];
  readonly odd: [number, number][] = [];
  mayHide = false;
  hasGreekOrCyrillic = false;
  hasHan = false;
  readonly #text: string;
  #oddEnd = 0;
  /** How many more bytes than characters there were. */
  #ahead = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Looks at a place in the bytes. */
  look(at: number): void {
    const byte = bytes[at] ?? 0;
    const [before, first] = [bytes[at - 1] ?? 0, bytes[at - 2] ?? 0];
    const hash = ((first & 31) << 10) | ((before & 31) << 5) | (byte & 31);
    const next = ((fourth[hash] ?? 0) >>> ((bytes[at + 1] ?? 0) & 31)) & ((fifth[hash] ?? 0) >>> ((bytes[at + 2] ?? 0) & 31));
    if (at > 1 && (next & 1) === 1) this.#begin(at - 2 - (this.#ahead - more(first) - more(before)), table[hash] ?? 0, at - 2);
    if (byte >= 192) this.#lookAtOther(at - this.#ahead, byte, (kindOf(before) & isLetter) !== 0);
    else if ((kindOf(byte) & isControl) !== 0) {
      this.mayHide = true;
      this.#foundOdd(at - this.#ahead);
    }
    // An entity, or a mark right behind a letter.
    else if (byte === 38) this.#mayPart(at - this.#ahead);
    else if (kindOf(byte) >= isRare) {
      if ((kindOf(before) & isLetter) !== 0) this.#mayPart(at - this.#ahead - 1);
    } else if ((kindOf(byte) & isLetter) !== 0 && (kindOf(before) & isSeparator) !== 0 && (kindOf(bytes[at - 3] ?? 0) & isSeparator) !== 0)
      this.#mayPart(at - this.#ahead - 4);
  }

  #begin(place: number, begins: number, at: number): void {
    const isOfWord = (kindOf(bytes[at] ?? 0) & isWord) !== 0;
    const isAtBoundary = isOfWord !== ((kindOf(bytes[at - 1] ?? 0) & isWord) !== 0);
    const isStart = isOfWord && isAtBoundary;
    if ((begins & ofPhrasesInWord) !== 0 || (isStart && (begins & ofPhrases) !== 0)) this.phrases.push(place);
    if ((begins & ofCommandsInWord) !== 0 || (isStart && (begins & ofCommands) !== 0)) this.commands.push(place);
    if ((begins & ofUnshown) !== 0) this.unshown.push(place);
    if (!isAtBoundary || (begins & ofDigits) === 0 || place < this.#oddEnd) return;
    spelledHere.lastIndex = place;
    if (spelledHere.test(this.#text)) this.#foundOdd(place);
  }

  #lookAtOther(place: number, byte: number, isBehindLetter: boolean): void {
    this.#ahead += more(byte);
    const code = this.#text.codePointAt(place) ?? 0;
    // Behind a symbol, this only says how it is shown.
    if (code === 0xfe0f && isSymbol(this.#text, place - 1)) return;
    if (others[code] === 0) {
      const character = String.fromCodePoint(code);
      others[code] = isKnown | (isOddCharacter(character) ? isOdd : 0) | (isHiddenCharacter(character) ? isHidden : 0);
    }
    const kind = others[code] ?? 0;
    if ((kind & isHidden) !== 0) this.mayHide = true;
    if ((kind & isOdd) !== 0) this.#foundOdd(place);
    if (code >= 0x370 && code < 0x590) this.hasGreekOrCyrillic = true;
    else if (code >= 0x4e00 && code <= 0x9fff) this.hasHan = true;
    // A dot in the middle may part letters.
    else if (code === 0xb7 && isBehindLetter) this.#mayPart(place - 1);
  }

  #mayPart(place: number): void {
    if (place < this.#oddEnd) return;
    oddInWord.lastIndex = place;
    if (oddInWord.test(this.#text)) this.#foundOdd(place);
  }

  #foundOdd(place: number): void {
    if (place < this.#oddEnd) return;
    const [start, end] = [this.#text.lastIndexOf('\n\n', place), this.#text.indexOf('\n\n', place)];
    this.#oddEnd = end === -1 ? this.#text.length : end;
    this.odd.push([start === -1 ? 0 : start + 2, this.#oddEnd]);
  }
}

function kindOf(byte: number): number {
  return kinds[byte] ?? 0;
}

function isSymbol(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  // The second half of a pair, behind the first one of what emoji are of.
  if (unit >= 0xdc00 && unit < 0xe000) return (text.charCodeAt(at - 1) & 0xfffc) === 0xd83c;
  return unit >= 0x2100 && unit < 0x2800;
}

/** How many more bytes than characters something has that begins with this byte. */
function more(byte: number): number {
  return byte < 192 ? 0 : byte < 224 ? 1 : 2;
}
