import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeAttribute, firstInvisible, insideElement, oneLine, unescapeAttribute } from '../../src/prompt/escape.ts';

/** The rule without a short cut. */
const invisible =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFF9-\uFFFC]|(?<=[\u200C\u200D])[\u200C\u200D]|(?![\u200C\u200D]|(?<=\p{Emoji})[\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}|\p{Surrogate}/gu;
const slowly = (text: string) =>
  text
    .replace(invisible, '')
    .replace(/[\s\u2800]+/gu, ' ')
    .trim();

describe('one line', () => {
  it('EDGE-30 DIS-1: every character alone, first, last and between others is kept or removed by the one rule', () => {
    const wrong: number[] = [];
    for (let code = 0; code <= 0xffff; code += 1) {
      const character = String.fromCharCode(code);
      for (const text of [character, `${character}a`, `a${character}`, `a ${character}b`])
        if (oneLine(text) !== slowly(text)) wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });

  it('EDGE-30 DIS-1: so are texts of any characters', () => {
    const unit = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '-',
      '—',
      '\u00AD',
      '\u200B',
      '\u200C',
      '\u200D',
      '\u2800',
      '\uFFFC',
      '\uFE0F',
      '⌚',
      '技',
      '\u3000',
      '\uD83D',
      '\uDE00',
      '1',
      '\u0301',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
        const text = units.join('');
        expect(oneLine(text)).toBe(slowly(text));
      }),
    );
  });
});

it('EDGE-30 DIS-1: in an attribute, every character that shows nothing and every blank but the usual one is a reference, and nothing is lost', () => {
  const wrong: number[] = [];
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code);
    for (const text of [character, `a${character}b`]) {
      const written = escapeAttribute(text);
      const isBare = slowly(written) !== written && text !== ' ';
      if (isBare || /[<>"]/.test(written) || unescapeAttribute(written) !== text) wrong.push(code);
    }
  }
  expect(wrong).toEqual([]);
});

it.each(['<', '\uFF1C', '\uFE64'])('EDGE-36: %s alone opens an element of ours, and others stay', (bracket) => {
  expect(insideElement(`${bracket}/skill_content> ${bracket}b>`)).toBe(`&lt;/skill_content> ${bracket}b>`);
});

it('EDGE-30: a name is the same with and without what shows nothing, also a row of joiners, a blank of Braille or the place of an object', () => {
  expect(oneLine('bill\u200c\u200d\u200c\u200ding')).toBe('bill\u200cing');
  expect(oneLine('\u2800bill\uFFFCing\u2800 \u2800now\u2800')).toBe('billing now');
});

describe('the first invisible character', () => {
  it('GOV-6: is found wherever it stands in a text of many lines, and nothing else is', () => {
    const wrong: number[] = [];
    for (let code = 0; code <= 0xffff; code += 1) {
      const character = String.fromCharCode(code);
      const isFound = (character.match(invisible) !== null || character === '\u2800') && !'\u00AD\u061C\u200E\u200F'.includes(character);
      const expected = isFound ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}` : undefined;
      for (const text of [character, `One line — and\n\tanother${character}\n`]) if (firstInvisible(text) !== expected) wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });
});
