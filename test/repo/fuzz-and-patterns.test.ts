import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Coverage } from '../../tools/fuzz/coverage.ts';
import { faultOf } from '../../tools/fuzz/finding.ts';
import { mutateBytes, stretchBytes } from '../../tools/fuzz/mutate-bytes.ts';
import { mutateJson } from '../../tools/fuzz/mutate-json.ts';
import { seededRandom } from '../../tools/fuzz/random.ts';
import { shrink } from '../../tools/fuzz/shrink.ts';
import { patternsOf } from '../../tools/patterns-of.ts';
import { repositoryRoot } from '../../tools/workspace.ts';

it('every pattern whose text is known is looked at, and a reason is of the pattern below it (ATK-36)', () => {
  const text = [
    'const a = /a+$/u;',
    '// recheck: it is short',
    'const b = /b+$/;',
    "const c = new RegExp('c+$', 'g');",
    'const d = RegExp(`d+$`);',
    'const e = new RegExp(`e${a.source}`);',
  ].join('\n');
  expect(patternsOf('x.ts', text)).toEqual([
    { file: 'x.ts', line: 1, source: 'a+$', flags: 'u', reason: undefined },
    { file: 'x.ts', line: 3, source: 'b+$', flags: '', reason: 'it is short' },
    { file: 'x.ts', line: 4, source: 'c+$', flags: 'g', reason: undefined },
    { file: 'x.ts', line: 5, source: 'd+$', flags: '', reason: undefined },
  ]);
});

it('the letters that look like Latin ones are those of the table that they are taken from', () => {
  const file = join(repositoryRoot, 'packages/skills-core/src/contract/look-alike-letters.ts');
  const before = readFileSync(file, 'utf8');
  execFileSync(process.execPath, [join(repositoryRoot, 'tools/look-alikes.ts')]);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it('the same seed changes inputs in the same way, and within the limit', () => {
  const input = new TextEncoder().encode('{"a":[1,{"b":"text"}]}');
  const changed = (seed: number) => {
    const mutation = { random: seededRandom(seed), words: [new TextEncoder().encode('word')], other: input, maxBytes: 200 };
    return Array.from({ length: 50 }, () => [mutateBytes(input, mutation), mutateJson(input, mutation), stretchBytes(input, mutation)]);
  };
  expect(changed(1)).toEqual(changed(1));
  expect(changed(1)).not.toEqual(changed(2));
  for (const bytes of changed(3).flat()) expect(bytes?.length).toBeLessThanOrEqual(200);
  expect(
    mutateJson(new TextEncoder().encode('no JSON'), { random: seededRandom(1), words: [], other: input, maxBytes: 10 }),
  ).toBeUndefined();
});

it('a branch is new once, and again where it is taken much more often', () => {
  const coverage = new Coverage(6);
  const ran = (index: number, times: number): boolean => {
    coverage.counters[index] = times;
    return coverage.takeNew();
  };
  expect([ran(5, 1), ran(5, 1), ran(5, 3), ran(0, 1), ran(5, 200), ran(5, 180)]).toEqual([true, false, true, true, true, false]);
  expect(coverage.reached).toBe(2);
});

it('an input shrinks to what the fault needs', async () => {
  const input = new TextEncoder().encode('some words and a < and more words');
  const small = await shrink(input, async (candidate) => candidate.includes(0x3c), 500);
  expect(new TextDecoder().decode(small)).toBe('<');
  const [one, other] = ['a "x" at 12', 'a "y" at 345'].map((message) =>
    faultOf(Object.assign(new Error(message), { stack: 'Error\n    at f (x.js:1)\n    at async g.run (x.js:2)' })),
  );
  expect(one).toBe(other);
});
