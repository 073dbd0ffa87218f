import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInside, withSlashes } from '../src/inside.ts';
import { isSkillFileName, isVisibleName } from '../src/visible-names.ts';

const { win32, posix } = path;

describe('rules of other systems', () => {
  it.each([
    ['C:/skills', 'C:/skills', true],
    ['C:/skills', 'C:/skills/a/SKILL.md', true],
    ['C:/skills', 'C:\\skills\\a', true],
    // Windows ignores case, and so does the letter of a drive.
    ['C:/Skills', 'c:/skills/a', true],
    ['C:/skills', 'C:/skills-secret/a', false],
    ['C:/skills', 'C:/skills/../secret', false],
    ['C:/skills', 'C:/', false],
    ['C:/skills', 'D:/skills/a', false],
    ['C:/skills', '//server/share/skills/a', false],
    ['//server/share/skills', '//server/share/skills/a', true],
    ['//server/share/skills', '//server/other/skills/a', false],
    ['C:/skills', 'C:/skills/..a', true],
  ])('SRC-1: on Windows, in %s lies %s: %s', (folder, target, expected) => {
    expect(isInside(folder, target, win32)).toBe(expected);
  });

  it.each([
    ['/skills', '/skills/a', true],
    ['/skills', '/Skills/a', false],
    ['/skills', '/skills\\a', false],
    ['/skills', '/skills/..a', true],
    ['/skills', '/skills/../a', false],
    ['/skills', '/skills/a/../../b', false],
    ['/skills', '/skills/..', false],
    ['/', '/skills', true],
  ])('SRC-1: elsewhere, in %s lies %s: %s', (folder, target, expected) => {
    expect(isInside(folder, target, posix)).toBe(expected);
  });

  it('SRC-1: backslashes part folders on Windows only', () => {
    expect(withSlashes('C:\\skills\\a', win32)).toBe('C:/skills/a');
    expect(withSlashes('/skills/a\\b', posix)).toBe('/skills/a\\b');
  });

  it('SRC-1: where case is ignored, another spelling opens nothing', () => {
    for (const name of ['.GIT', 'Node_Modules', '.DS_Store', 'THUMBS.DB', '__PyCache__']) expect(isVisibleName(name, true)).toBe(false);
    // In NFC the Kelvin sign is the letter K, so a disk may keep one name as the other.
    for (const name of ['SKILL.md', 'skill.md', 'Skill.MD', 'S\u212AILL.md']) expect(isSkillFileName(name)).toBe(true);
    for (const name of ['\u017Fkill.md', 'SKILL.mdx', 'SKILL', 'SKILL.md ']) expect(isSkillFileName(name)).toBe(false);
  });
});
