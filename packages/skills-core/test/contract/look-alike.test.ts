import { skeletonOf, skeletonsOf, visibleName, withoutTrailing } from '@repertoire/skills-core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('skeletonOf', () => {
  it.each([
    ['billing', 'B\u0456\u04cf\u04cfing'],
    ['deploy', 'de\u0440l\u043e\u0443'],
    ['deploy', '\u0501e\u0440l\u043ey'],
    ['omega', '\u03c3m\u0435g\u0251'.replace('\u0251', 'a')],
    ['read_file', 'read-fi1e'],
    ['scope', '\u0455\u0441\u043e\u0440\u0435'],
    ['x0', 'X\u043e\u200b'],
    ['billing', 'bill\u2800\ufffc\u200c\u200ding'],
    [`a${'b'.repeat(300)}`, `A${'b'.repeat(10_000)}`],
  ])('GOV-6: %j looks like %j', (one, other) => {
    expect(skeletonOf(other)).toBe(skeletonOf(one));
    expect(other).not.toBe(one);
  });

  it.each([
    ['billing', 'filling'],
    ['caf\u00e9', 'cafe'],
    ['\u0430\u0431\u0432', 'abv'],
    ['\u65e5\u672c', '\u65e5\u6728'],
  ])('GOV-6: %j does not look like %j', (one, other) => expect(skeletonOf(other)).not.toBe(skeletonOf(one)));

  it('GOV-6: what a name looks like looks like itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (name) => {
        const look = skeletonOf(name);
        // A sign of a command at the start is taken away once.
        if (!/^[/$@]/.test(look)) expect(skeletonOf(look)).toBe(look);
      }),
      { seed: 20261121, numRuns: 500 },
    );
  });

  it('GOV-6: many names look like each of them', () => {
    const name = fc.oneof(fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,6})?$/), fc.string({ unit: 'grapheme', maxLength: 8 }));
    fc.assert(
      fc.property(fc.array(name, { maxLength: 8 }), (names) => {
        expect(skeletonsOf(names)).toEqual(names.map((one) => skeletonOf(one)));
      }),
      { seed: 20261122, numRuns: 500 },
    );
  });

  it('GOV-6: of a name of any length, the start is shown', () => expect(visibleName('a'.repeat(1_000_000)).length).toBeLessThan(300));

  it('GOV-6: what does not show is shown', () => expect(visibleName('a\u200b\u0430"')).toBe('"a\\u{200b}\\u{430}\\""'));
});

it('FMT-3: withoutTrailing takes away what a text ends with, and nothing else', () => {
  expect(['a//b//', '//', '', 'a', '/a'].map((text) => withoutTrailing(text, '/'))).toEqual(['a//b', '', '', 'a', '/a']);
});
