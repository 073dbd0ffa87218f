import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortenText } from '../../src/catalog/shorten-description.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

describe('shortenText', () => {
  const text = 'Deploys services to the cluster. Use when a release, hotfix or rollback is asked for.';

  it.each([
    [200, text],
    [40, 'Deploys services to the cluster. …'],
    [34, 'Deploys services to the cluster. …'],
    [33, 'Deploys services to the cluster. …'.slice(0, 23) + '…'],
    [60, 'Deploys services to the cluster. Use when a release…'],
    [10, 'Deploys…'],
    [2, ''],
    [0, ''],
  ])('DIS-2: in %d characters', (limit, expected) => {
    expect(shortenText(text, limit)).toBe(expected);
  });

  it('DIS-2: a sentence that ends early in the room is followed by the words that fit', () => {
    const early = 'Deploys services to it. Use when a release or a rollback is asked for.';
    // 23 of 31 characters, which is less than four fifths.
    expect(shortenText(early, 33)).toBe('Deploys services to it. Use…');
    expect(shortenText(early, 30)).toBe('Deploys services to it. …');
  });

  it('DIS-2: scripts without spaces are cut between characters, emoji and marks stay whole', () => {
    expect(shortenText('契約書の危険な条項を確認します。署名の前に使います。', 12)).toBe('契約書の危険な条項を…');
    expect(shortenText('契約書を確認します。署名の前に使います。', 12)).toBe('契約書を確認します。…');
    expect(shortenText(`ab${'👩‍👩‍👧'.repeat(5)}`, 14)).toBe('ab👩‍👩‍👧…');
    expect(shortenText('a'.repeat(5) + 'e\u0301'.repeat(20), 10)).toBe('aaaaae\u0301…');
  });

  it('DIS-2: never longer than its room, always a beginning of the text, never half a character, and more room never gives less', () => {
    const piece = fc.constantFrom('a', 'word', ' ', ' ', '. ', ', ', '。', '技', '👩‍👩‍👧', '👍🏽', 'e\u0301', '(', '-', '“');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(120), fc.nat(10), (pieces, limit, more) => {
        const whole = pieces.join('').replace(/\s+/g, ' ').trim();
        const cut = shortenText(whole, limit);
        expect(cut.length).toBeLessThanOrEqual(limit);
        const kept = cut === whole ? cut : cut.replace(/ ?…$/, '');
        expect(whole.startsWith(kept)).toBe(true);
        const ends = new Set([0, ...Array.from(graphemes.segment(whole), ({ index, segment }) => index + segment.length)]);
        expect(ends.has(kept.length)).toBe(true);
        expect(shortenText(whole, limit + more).length).toBeGreaterThanOrEqual(cut.length);
      }),
      { numRuns: 5000 },
    );
  });
});
