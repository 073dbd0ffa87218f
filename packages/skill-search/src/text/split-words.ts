const outsideAscii = /[\u0080-\uffff]/;
const marksOfLatin = /[\u0300-\u036f]/g;
const words = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts without spaces, and Hangul. Runs of them are split into pairs of characters. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const innerCapital = /[a-z][A-Z]/;
const beforeCapital = /(?<=[a-z])(?=[A-Z])/;

/** Longer runs of ASCII are keys, hashes and encoded data. */
const longestWord = 64;

/** Whether a UTF-16 unit is an ASCII letter or digit, or not ASCII. */
export function isRunUnit(unit: number): boolean {
  return unit >= 0x80 || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39);
}

/**
 * Splits a run into lower-case words, in order.
 *
 * `getUserName` gives its parts and itself. Accents of Latin letters are removed. Chinese,
 * Japanese, Korean, Thai and similar scripts give pairs of neighboring characters. On real
 * requests, pairs found clearly more than the words of `Intl.Segmenter`, and they are the same on
 * every platform.
 *
 * @param singles whether to return single characters of those scripts in addition to pairs, so that
 *   a request of one character finds something
 */
export function splitWords(run: string, singles: boolean): string[] {
  if (!outsideAscii.test(run)) return splitAscii(run);
  const found: string[] = [];
  const plain = run.normalize('NFKD').replace(marksOfLatin, '').normalize('NFC');
  for (const [word] of plain.matchAll(words)) {
    let end = 0;
    for (const match of word.matchAll(unspaced)) {
      if (match.index > end) found.push(...splitAscii(word.slice(end, match.index)));
      addPairs(match[0].toLowerCase(), singles, found);
      end = match.index + match[0].length;
    }
    if (end < word.length) found.push(...splitAscii(word.slice(end)));
  }
  return found;
}

function splitAscii(run: string): string[] {
  if (run.length > longestWord) return [];
  const whole = run.toLowerCase();
  return innerCapital.test(run) ? [...run.split(beforeCapital).map((part) => part.toLowerCase()), whole] : [whole];
}

function addPairs(run: string, singles: boolean, found: string[]): void {
  let previous = '';
  for (const character of run) {
    if (previous !== '') found.push(previous + character);
    if (singles) found.push(character);
    previous = character;
  }
  if (!singles && previous === run) found.push(run);
}
