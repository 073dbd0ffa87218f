import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { triedMutants, triedPage } from '../../tools/mutants/record-tried.ts';
import { repositoryRoot } from '../../tools/workspace.ts';

it('the page of tried mutants says what is kept of them, and no more than a thousand', () => {
  const tried = triedMutants();
  expect(tried.length).toBeGreaterThan(0);
  expect(tried.length).toBeLessThanOrEqual(1000);
  expect(readFileSync(join(repositoryRoot, 'docs/reference/mutants.md'), 'utf8')).toBe(triedPage(tried));
});
