import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signatureProblems } from '../src/problem/signature-problem.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/signature-problems.md'), 'utf8');

it('GOV-12: the reference explains every problem with its step, and no other', () => {
  const rows = [...page.matchAll(/^\| `(?<code>[a-z-]+)` \| (?<step>[a-z]+) \| \S/gm)].map(({ groups }) => [
    groups?.['code'],
    groups?.['step'],
  ]);
  const documented = rows.filter(([, step]) => step !== 'error' && step !== 'warning');
  expect(Object.fromEntries(documented)).toEqual(signatureProblems);
});
