import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SkillError } from '@repertoire/skills-core';
import { isWindowsTrick } from '@repertoire/skills-core/internal';
import { isResourcePath } from '@repertoire/skills-core/provider';
import { normalizeResourcePath } from '../../src/contract/resource-path.ts';

describe('normalizeResourcePath', () => {
  it.each([
    ['./references/a.md', 'references/a.md'],
    ['references//a.md', 'references/a.md'],
    ['references/', 'references'],
    [' references/a.md ', 'references/a.md'],
    ['references/a.md#part', 'references/a.md'],
    ['references/a.md?raw', 'references/a.md'],
    ['references/a.md #part', 'references/a.md'],
    ['references/tone%20of%20voice.md', 'references/tone of voice.md'],
    ['references/100%.md', 'references/100%.md'],
    ['cafe\u0301.md', 'caf\u00e9.md'],
    ['a..b/c...md', 'a..b/c...md'],
  ])('EDGE-38 DIS-4: reads %j as %j', (written, expected) => {
    expect(normalizeResourcePath(written)).toBe(expected);
  });

  it.each([
    '../secret',
    'references/../../secret',
    '%2e%2e/secret',
    '%252e%252e/secret',
    '..%2fsecret',
    '%2fetc/passwd',
    '/etc/passwd',
    '\\\\server\\share',
    'references\\a.md',
    'C:/windows/system.ini',
    'c:secret',
    'file:///etc/passwd',
    'a\0.md',
    'a\n.md',
    '',
    '.',
    './',
    '\uFF0E\uFF0E/secret',
    '\u2025/secret',
    'a/'.repeat(600) + 'b',
    'x'.repeat(300),
  ])('EDGE-38 SRC-2: refuses %j', (path) => {
    const attempt = () => normalizeResourcePath(path);
    expect(attempt).toThrow(SkillError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid-path' }));
  });

  it('SRC-2: whatever is accepted is in the form of the contract, stays what it is, and cannot leave the skill', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      '%2e',
      '%2f',
      '%25',
      'a',
      'é',
      'e\u0301',
      ' ',
      '#',
      '?',
      ':',
      'C:',
      '\0',
      '~',
      '\u2024',
      '\uFF0E',
      '\u2025',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        let path: string;
        try {
          path = normalizeResourcePath(pieces.join(''));
        } catch (error) {
          return SkillError.isInstance(error);
        }
        const inside = new URL(path.split('/').map(encodeURIComponent).join('/'), 'file:///skills/one/').pathname;
        return isResourcePath(path) && inside.startsWith('/skills/one/') && !path.startsWith('/');
      }),
      { numRuns: 5000 },
    );
  });
});

describe('isResourcePath', () => {
  it.each(['a.md', 'references/a b.md', 'C#.md', '50%.md', 'who?.md', '.hidden', 'constructor', '__proto__'])('accepts %j', (path) => {
    expect(isResourcePath(path)).toBe(true);
  });

  it.each(['', '.', '..', 'a/../b', './a', 'a//b', 'a/', '/a', 'a\\b', 'cafe\u0301.md', 'a\0'])('SRC-2: refuses %j', (path) => {
    expect(isResourcePath(path)).toBe(false);
  });
});

describe('isWindowsTrick', () => {
  it.each([
    'a.md:stream',
    'a.md::$DATA',
    'SKILL.md.',
    'note.md ',
    'NUL',
    'x/NUL',
    'con.txt',
    'a/lpt1.md/b',
    'a/COM3.log/b',
    'a?.md',
    'a*b',
    'CONIN$',
    'x/ /y',
  ])('SRC-1 SRC-5: Windows reads %j as something else', (path) => expect(isWindowsTrick(path)).toBe(true));

  it.each([
    'a.md',
    'console.md',
    'a/nullable.ts',
    'null.txt',
    'lpt10.md',
    'comet.md',
    '.hidden',
    '.config/x',
    'com.md',
    'references/a b.md',
  ])('SRC-1 SRC-5: %j is a path like any other', (path) => expect(isWindowsTrick(path)).toBe(false));
});

it.each([
  ['../a.md', 'it climbs out of the skill with ".."'],
  ['a/../../b.md', 'it climbs out of the skill with ".."'],
  ['a/\u2024\u2024/b.md', 'it climbs out of the skill'],
  ['/a.md', 'it is absolute'],
  ['a\\b.md', 'it contains a backslash; use "/"'],
  ['C:/a.md', 'it starts with a drive letter or a scheme'],
  ['a\u0007.md', 'it contains a control character'],
  ['a'.repeat(5_000), 'it is too long'],
])('SRC-1: a path that is refused says why: %j', (path, why) => {
  expect(() => normalizeResourcePath(path)).toThrow(why);
});
