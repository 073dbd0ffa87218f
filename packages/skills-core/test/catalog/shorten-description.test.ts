import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortenDescription, shortenTelling, whenStart, whenStartOf } from '../../src/catalog/shorten-description.ts';

const contracts =
  'Reviews contracts for risky clauses, unclear terms and missing annexes, in any language of the EU. Use when someone asks whether an agreement is safe to sign.';

describe('shortenDescription', () => {
  it.each([
    [200, contracts],
    [120, 'Reviews contracts for risky clauses, unclear terms and… Use when someone asks whether an agreement is safe to sign.'],
    [80, 'Reviews contracts for risky… Use when someone asks whether an agreement is…'],
    [40, 'Reviews… Use when someone asks…'],
    [3, ''],
  ])('DIS-2 DIS-14: in %d characters it keeps what says when to use the skill', (limit, expected) => {
    expect(shortenDescription(contracts, limit)).toBe(expected);
  });

  it('DIS-14: what a short beginning leaves goes to the rest', () => {
    const haiku = 'Writes haiku. Use when someone asks for a short poem about the weather, the sea or the moon.';
    expect(shortenDescription(haiku, 70)).toBe('Writes haiku. Use for a short poem about the weather, the sea or the…');
  });

  it.each([
    ['Formats code. Use this skill when asked to.', 'Use this skill when asked to.'],
    ['Formats code; also use it for CSS.', 'also use it for CSS.'],
    ['Formats code. Used when files are messy.', 'Used when files are messy.'],
    ['Formats code. Triggers on "tidy up".', 'Triggers on "tidy up".'],
    ['Formats code when the user asks for it.', 'when the user asks for it.'],
    ['Formats code, whenever a file is saved.', 'whenever a file is saved.'],
    ['Formats code. If the user says "tidy", start.', 'If the user says "tidy", start.'],
    ['整理代码。当用户要求时使用。', '当用户要求时使用。'],
  ])('DIS-14: it finds where %j says when', (text, when) => {
    expect(text.slice(whenStart(text))).toBe(when);
  });

  it.each([
    'Formats code.',
    'Use when code is messy. Formats it.',
    'Formats code. Do not use when it is generated.',
    'Formats code, but not when the user objects.',
    '',
  ])('DIS-14: %j says nothing of it, or says it first', (text) => {
    expect(whenStart(text)).toBe(0);
  });

  it('DIS-14: a field of its own is where it says so', () => {
    const whenToUse = '  For\n haiku. ';
    const summary = 'Writes short poems. For haiku.';
    expect(summary.slice(whenStartOf({ whenToUse }, summary))).toBe('For haiku.');
  });

  it('DIS-14: with a word that tells it apart, no blank hangs at its ends, however little room there is', () => {
    const text = 'Alpha beta gamma delta, zebra omega and more of it.';
    for (let room = 0; room < text.length; room += 1) {
      const cut = shortenTelling({ text, start: 0 }, room, [{ word: 'zebra', index: text.indexOf('zebra') }]);
      expect(cut).toBe(cut.trim());
    }
  });

  it('DIS-14: a word of its own is there also where it stands in a longer one later', () => {
    const head = 'Reviews reports for pages that are slow, and writes what is wrong with each of them in a list. ';
    const text = `${head}Tables in sql, then those of mysql and of other databases, as people write them for pages of shops.`;
    expect(shortenTelling({ text, start: head.length }, 80, [{ word: 'sql', index: text.indexOf(' sql') + 1 }])).toBe(
      'Reviews reports for pages that… Tables in sql, then those of mysql and of…',
    );
  });

  it('DIS-14: it takes time by the length of a description, whatever is in it', () => {
    const hostile = `x${'. always use proactively proactively '.repeat(20_000)}`;
    expect(whenStart(hostile)).toBe(0);
    expect(shortenDescription(hostile, 60).length).toBeLessThanOrEqual(60);
  });

  it('DIS-2 DIS-14: never longer than its room, and more room never gives less', () => {
    const piece = fc.constantFrom(
      'a',
      'word',
      ' ',
      ' ',
      '. ',
      ', ',
      '。',
      '技',
      '当',
      '👩‍👩‍👧',
      'e\u0301',
      'Use when ',
      'when the user ',
      'Not ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(150), fc.nat(10), (pieces, limit, more) => {
        const whole = pieces.join('').replace(/\s+/g, ' ').trim();
        const cut = shortenDescription(whole, limit);
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(shortenDescription(whole, limit + more).length).toBeGreaterThanOrEqual(cut.length);
        expect(cut.isWellFormed()).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});
