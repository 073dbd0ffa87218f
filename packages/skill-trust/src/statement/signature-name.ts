import { SkillError } from '@repertoire/skills-core';
import { show } from '../problem/refusal.ts';
import { alwaysIgnored, collisionKey, isSignableName } from './file-names.ts';

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
