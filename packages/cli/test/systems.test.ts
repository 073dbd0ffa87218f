import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInsideByGit } from '../src/source/is-inside-by-git.ts';

const { win32, posix } = path;

describe('rules of other systems', () => {
  it.each([
    ['C:\\skills\\a', 'C:\\skills\\a\\SKILL.md', true],
    ['C:\\skills\\a', 'C:\\skills\\ab\\SKILL.md', false],
    // Git tells the letter of a drive as somebody once typed it, and Windows ignores case.
    ['C:\\Skills\\a', 'c:\\skills\\a\\SKILL.md', true],
    ['C:\\skills\\a', 'C:/skills/a/references/x.md', true],
    ['C:\\skills\\a', 'D:\\skills\\a\\SKILL.md', false],
    ['\\\\server\\share\\a', '\\\\server\\share\\a\\SKILL.md', true],
    ['C:\\', 'C:\\a\\SKILL.md', true],
  ])('AUT-1: on Windows, in %s lies %s: %s', (folder, file, expected) => {
    expect(isInsideByGit(folder, file, win32)).toBe(expected);
  });

  it.each([
    ['/skills/a', '/skills/a/SKILL.md', true],
    ['/skills/a', '/skills/A/SKILL.md', false],
    ['/skills/a', '/skills/ab/SKILL.md', false],
    ['/', '/skills/a/SKILL.md', true],
    // macOS keeps names as they were typed, and Git tells them composed.
    ['/skills/u\u0308ber', '/skills/\u00FCber/SKILL.md', true],
  ])('AUT-1: elsewhere, in %s lies %s: %s', (folder, file, expected) => {
    expect(isInsideByGit(folder, file, posix)).toBe(expected);
  });
});
