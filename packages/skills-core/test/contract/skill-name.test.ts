import { describe, expect, it } from 'vitest';
import { compareVersionsNewestFirst, suggestSkillName } from '@repertoire/skills-core/internal';
import { checkSkillName } from '@repertoire/skills-core/provider';

describe('checkSkillName', () => {
  it.each(['a', 'pdf-forms', '2fa', '技能', 'навык', 'мой-навык', 'cafe\u0301', 'a'.repeat(64), '𝒳-math'])('FMT-1: accepts %j', (name) => {
    expect(checkSkillName(name.normalize('NFKC').toLowerCase())).toEqual([]);
  });

  it.each([
    ['', ['name-empty']],
    ['MySkill', ['name-not-lowercase']],
    ['a'.repeat(65), ['name-too-long']],
    ['-a', ['name-edge-hyphen']],
    ['a--b', ['name-double-hyphen']],
    ['my_skill', ['name-invalid-characters']],
    ['-My__Skill-', ['name-not-lowercase', 'name-edge-hyphen', 'name-invalid-characters']],
  ])('FMT-1: names every rule that %j breaks', (name, codes) => {
    expect(checkSkillName(name).map((issue) => issue.code)).toEqual(codes);
  });

  it('FMT-1: counts code points, not UTF-16 units', () => {
    expect(checkSkillName('𐐨'.repeat(64))).toEqual([]);
  });
});

it('FMT-1: of a name of any length, the first 256 characters are looked at', () => {
  const codes = (name: string) => checkSkillName(name).map(({ code, message }) => `${code} ${/\(.*\)/.exec(message)?.[0] ?? ''}`.trim());
  expect(codes('a'.repeat(1_000_000))).toEqual(['name-too-long (more than 256)']);
  expect(codes(`${'a'.repeat(300)}_--`)).toEqual(['name-too-long (more than 256)']);
  expect(codes(`${'a'.repeat(200)}_--`)).toEqual([
    'name-too-long (203)',
    'name-edge-hyphen',
    'name-double-hyphen',
    'name-invalid-characters',
  ]);
  expect(codes(' '.repeat(1_000))).toEqual(['name-empty']);
  expect(suggestSkillName('a_'.repeat(1_000_000))).toBe(`${'a-'.repeat(31)}a`);
});

describe('suggestSkillName', () => {
  it.each([
    ['My_Skill v2', 'my-skill-v2'],
    ['--a--', 'a'],
    ['stitch::react', 'stitch-react'],
    ['***', ''],
  ])('FMT-1: makes %j into %j', (name, suggested) => {
    expect(suggestSkillName(name)).toBe(suggested);
  });
});

describe('compareVersionsNewestFirst', () => {
  it('CON-8: orders semver, loose versions, words, and none', () => {
    const versions = ['1.2.0', null, 'v2', '1.10.0', '2.0.0-rc.1', 'nightly', '2.0.0-rc.11', '2.0.0-rc.2', '2.0.0-beta'];
    expect([...versions].sort(compareVersionsNewestFirst)).toEqual([
      'v2',
      '2.0.0-rc.11',
      '2.0.0-rc.2',
      '2.0.0-rc.1',
      '2.0.0-beta',
      '1.10.0',
      '1.2.0',
      'nightly',
      null,
    ]);
  });

  it('CON-8: is the same order whichever way it is asked', () => {
    const versions = ['1', '1.0', '1.0.0', 'v1.0.0', '1.0.0+a', '1.0.0-a.b', '1.0.0-a', '1.0.0-b', '1.0.0-1', 'x', null];
    for (const a of versions) {
      for (const b of versions) expect(Math.sign(compareVersionsNewestFirst(a, b))).toBe(-Math.sign(compareVersionsNewestFirst(b, a)) + 0);
    }
  });
});
