import { SkillRegistry } from '@repertoire/skills-core';
import fc from 'fast-check';
import maxSatisfying from 'semver/ranges/max-satisfying.js';
import { describe, expect, it } from 'vitest';
import { resolveVersion } from '../../../src/providers/versions/resolve-version.ts';

const versions = ['2.1.0-rc.1', '2.0.0', '2.0.0-rc.2', '2.0.0-rc.1', '1.10.0', '1.9.3', '1.2.0', '0.3.9', '0.3.0', '0.2.9', null];

describe('resolveVersion', () => {
  it.each([
    ['^1.2', '1.10.0'],
    ['~1.9.0', '1.9.3'],
    ['1.x', '1.10.0'],
    ['1', '1.10.0'],
    ['^0.3.0', '0.3.9'],
    ['~0.2', '0.2.9'],
    ['>=1 <1.10', '1.9.3'],
    ['>=1.2 <1.9 || ~0.3', '1.2.0'],
    ['1.2 - 1.9', '1.9.3'],
    ['v1.9.3', '1.9.3'],
    ['=1.9.3', '1.9.3'],
    [' 1.9.3 ', '1.9.3'],
    ['>=1', '2.0.0'],
    ['>2', undefined],
    ['^3', undefined],
  ])('CON-8: %j is %j', (range, expected) => {
    expect(resolveVersion(versions, range)).toBe(expected);
    expect(resolveVersion(versions.toReversed(), range)).toBe(expected);
  });

  it('CON-8: a pre-release is chosen only by a range that names one of the same release', () => {
    expect(resolveVersion(versions, '^2.0.0-rc.1')).toBe('2.0.0');
    expect(resolveVersion(versions, '>=2.0.0-rc.1 <2.0.0')).toBe('2.0.0-rc.2');
    expect(resolveVersion(versions, '>=2.1.0-0')).toBe('2.1.0-rc.1');
    expect(resolveVersion(['2.0.0-rc.1'], '^2')).toBeUndefined();
    expect(resolveVersion(versions, '2.0.0-rc.1')).toBe('2.0.0-rc.1');
  });

  it('CON-8: `*` is the newest, which is what a provider serves where no version is asked for', async () => {
    for (const list of [versions, ['1.0.0', null], ['nightly', null], [null], ['v1.2', '1.10']]) {
      const provider = new SkillRegistry({ skills: list.map((version) => ({ name: 'a', description: 'A.', body: '', version })) });
      const newest = (await provider.getSkill('a'))?.version;
      expect(resolveVersion(list, '*')).toBe(newest);
      expect(resolveVersion(list, '')).toBe(newest);
    }
    expect(resolveVersion([], '*')).toBeUndefined();
    expect(resolveVersion([null], '^1')).toBeUndefined();
    // None of the versions and the skill without one are two answers.
    expect(resolveVersion([null], '*')).toBeNull();
  });

  it('CON-8: reads versions loosely, and returns them as they are written', () => {
    expect(resolveVersion(['v1.2', '1.1'], '^1.0.0')).toBe('v1.2');
    expect(resolveVersion(['2', '1.4.0+build.7'], '~1.4')).toBe('1.4.0+build.7');
    expect(resolveVersion(['01.2.3'], '1.x')).toBe('01.2.3');
    expect(resolveVersion(['V1.5.0'], '^1')).toBe('V1.5.0');
  });

  it('CON-8: what is no semver is found by its own spelling, and by nothing else', () => {
    expect(resolveVersion(['2026-01', '1.0.0'], '2026-01')).toBe('2026-01');
    expect(resolveVersion(['nightly', '1.0.0'], '>=0')).toBe('1.0.0');
    expect(resolveVersion(['99999999999999999999.0.0', '1.0.0'], '>=1')).toBe('1.0.0');
    // The exact spelling is more than the range that it could be.
    expect(resolveVersion(['1.2', '1.2.9'], '1.2')).toBe('1.2');
  });

  it.each(['latest', '^', '>=', 'not a range', '1.2.3.4', '!=1', '^1.2.3 - 2', `>=1 ${' '.repeat(300)} <2`, '9'.repeat(500)])(
    'CON-8: %j is no range',
    (range) => {
      expect(() => resolveVersion(versions, range)).toThrow(
        expect.objectContaining({ code: 'invalid-input', message: expect.stringContaining('"^1.2"') as string }),
      );
    },
  );

  it('CON-8: agrees with the package manager’s own choice for every semver', () => {
    const number = fc.nat(12);
    const semver = fc
      .tuple(number, number, number, fc.option(fc.constantFrom('alpha', 'rc.1', 'rc.2')))
      .map(([a, b, c, pre]) => `${a}.${b}.${c}${pre === null ? '' : `-${pre}`}`);
    const comparator = fc
      .tuple(fc.constantFrom('^', '~', '>=', '<', '>', '<=', '='), semver)
      .map(([operator, version]) => `${operator}${version}`);
    const range = fc
      .array(fc.array(comparator, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
      .map((parts) => parts.map((part) => part.join(' ')).join(' || '));
    fc.assert(
      fc.property(fc.uniqueArray(semver, { maxLength: 12 }), range, (list, wanted) => {
        expect(resolveVersion(list, wanted)).toBe(maxSatisfying(list, wanted) ?? undefined);
      }),
      { numRuns: 500 },
    );
  });
});
