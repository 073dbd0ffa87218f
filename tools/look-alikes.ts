/**
 * `node tools/look-alikes.ts`: writes `packages/skills-core/src/contract/look-alike-letters.ts` from the table of Unicode TS 39, as `unhomoglyph` has it. What it
 * holds are the letters of the scripts that names are written in beside Latin (Cyrillic, Greek, Armenian) and that look like a small Latin letter: every bundle
 * carries them, so that they are few. Other ways to write a Latin letter, such as mathematical ones, are gone by NFKC.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { repositoryRoot } from './workspace.ts';

const file = join(repositoryRoot, 'packages/skills-core/src/contract/look-alike-letters.ts');
const data = createRequire(import.meta.url).resolve('unhomoglyph/data.json');
const table = JSON.parse(readFileSync(data, 'utf8')) as Readonly<Record<string, string>>;
const scripts = /^[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]$/u;

const pairs = new Map<string, string>();
for (const character of Object.keys(table)) {
  const letter = character.normalize('NFKC').toLowerCase();
  const looks = latinOf(letter);
  if (letter.length === 1 && scripts.test(letter) && /^[a-z]$/.test(looks)) pairs.set(letter, looks);
}
const sorted = [...pairs].toSorted(([, a], [, b]) => (a < b ? -1 : Number(a > b)));

writeFileSync(
  file,
  `// Written by tools/look-alikes.ts from the table of Unicode TS 39. Change that program, and not
// this file.

/** Small letters of Cyrillic, Greek and Armenian that look like a Latin one. */
export const lookAlikeLetters: string = '${sorted.map(([letter]) => letter).join('')}';

/** The Latin letters that they look like, in the same order. */
export const latinLetters: string = '${sorted.map(([, looks]) => looks).join('')}';
`,
);
execFileSync(join(repositoryRoot, 'node_modules/.bin/oxfmt'), [file]);
console.log(`${sorted.length} letters`);

/** What a small letter looks like, without marks. What looks like a small l is given as one. */
function latinOf(letter: string): string {
  const looks = (table[letter] ?? letter).normalize('NFKD').replace(/\p{M}/gu, '');
  return (table[looks] ?? looks).toLowerCase();
}
