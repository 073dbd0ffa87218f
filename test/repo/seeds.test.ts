import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SeedDocument } from '../../e2e/seeds/seed-item.ts';
import { seedProblems, seedsPage, seedsPagePath, seedTests } from '../../tools/seeds-page.ts';
import { repositoryRoot } from '../../tools/workspace.ts';

describe('the page for those who come from another system', () => {
  const tests = seedTests();

  it('is made from the tests as they are', () => {
    expect(readFileSync(join(repositoryRoot, seedsPagePath), 'utf8')).toBe(seedsPage(tests));
  });

  it('says of nothing that it works unless a test shows it', () => {
    expect(seedProblems(tests)).toEqual([]);
    expect(tests.size).toBeGreaterThan(100);
  });

  it('notices an item without a test, a test without an item, and a missing one that has a test', () => {
    const document: SeedDocument = {
      id: 'S0',
      title: 'x',
      names: [],
      items: [
        { number: 1, what: 'a' },
        { number: 2, what: 'b', missing: 'not yet' },
        { number: 4, what: 'c', page: 'nowhere.md' },
      ],
    };
    const cited = new Map(['S0-2', 'S0-3'].map((id) => [id, [{ file: 'a.test.ts', features: [] }]]));
    expect(seedProblems(cited, [document])).toEqual([
      'S0-3 is cited by a test and described nowhere.',
      'S0-1 has no test.',
      'S0-2 is said to be missing, and a test cites it.',
      'S0-4 names docs/nowhere.md, which is not there.',
    ]);
  });
});
