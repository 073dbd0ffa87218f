import { SkillError } from '@repertoire/skills-core';
import { show } from '../problem/refusal.ts';

const maxNameLength = 1024;

/** Top-level paths that are never signed, by the specification. Deeper they are signed. */
export const alwaysIgnored: readonly string[] = ['.git', '.gitattributes', '.github', '.gitignore'];

/**
 * Whether a statement may list a file under this name: a relative path with `/`, without `.`, `..`
 * or empty parts, NUL, backslashes or lone surrogates. Names are compared byte for byte and never
 * normalized.
 */
export function isSignableName(name: unknown): name is string {
  return (
    typeof name === 'string' &&
    name.length <= maxNameLength &&
    !/[\0\\]/.test(name) &&
    name.isWellFormed() &&
    name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

/** Returns one key for names that some file systems take for the same file. */
export function collisionKey(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}

/** Whether a path is one of the others, or is inside one of them. */
export function liesWithin(path: string, others: readonly string[]): boolean {
  return others.some((other) => path === other || path.startsWith(`${other}/`));
}

/**
 * Checks the name of a signature file. That file is the one that a signature does not cover, so it
 * must not be the instructions under another spelling.
 *
 * @throws {SkillError} `invalid-options`
 */
export function assertSignatureName(name: string): void {
  if (!isSignableName(name) || name.includes('/'))
    throw new SkillError('invalid-options', `signatureName is ${show(name)}. Give a file name without "/".`);
  if (collisionKey(name) === 'skill.md' || alwaysIgnored.includes(name))
    throw new SkillError('invalid-options', `signatureName is ${show(name)}, which no signature may replace. Give another name.`);
}

/**
 * Compares by code points, the order of the UTF-8 bytes. JavaScript's `<` compares UTF-16 units.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === length) return a.length - b.length;
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

/** Ranks surrogates above all other units, since they represent higher code points. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
