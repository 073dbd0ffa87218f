import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seedDocuments } from '../../e2e/seeds/documents.ts';
import type { SeedDocument } from '../../e2e/seeds/seed-item.ts';
import { assertedIds, seedPlaces, seedProblems, seedsPage, seedsPagePath, seedTests } from '../../tools/seeds-page.ts';
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

  it('counts an item only where an assertion has its id, or is that of the only item of the test', () => {
    const ids = ['S0-1', 'S0-2', 'FMT-1'];
    expect(assertedIds(ids, `it('…', () => { expect(one, 'S0-1').toBe(1); expect(two).toBe(2); })`)).toEqual(['S0-1', 'FMT-1']);
    expect(assertedIds(ids, `expect([one, two], 'S0-1 S0-2').toEqual([1, 2])`)).toEqual(ids);
    expect(assertedIds(['S0-1'], `expect(one).toBe(1)`)).toEqual(['S0-1']);
    expect(assertedIds(['S0-1'], `const one = 1; // S0-1`)).toEqual([]);
  });

  it('does not say of an item that it works once its assertion is deleted', () => {
    const file = 'e2e/seeds/s4-activated-skills.test.ts';
    const text = readFileSync(join(repositoryRoot, file), 'utf8');
    const cited = [...text.matchAll(/, '((?:S4-\d+ ?)+)'\)/g)].map(([, found = '']) => found);
    expect(cited.length).toBeGreaterThan(20);
    const without = text.replaceAll(/, 'S4-24'\)/g, ')');
    const title = /['"](S4-22 S4-23 S4-24) /.exec(without)?.index ?? -1;
    expect(assertedIds(['S4-22', 'S4-23', 'S4-24'], without.slice(title, title + 1_500))).toEqual(['S4-22', 'S4-23']);
  });

  it('calls things here by names that there are', () => {
    const source = globSync('packages/*/src/**/*.ts', { cwd: repositoryRoot }).map((path) =>
      readFileSync(join(repositoryRoot, path), 'utf8'),
    );
    const known = new Set(source.flatMap((text) => text.match(/\w+/g) ?? []));
    // The last column of a table of names, and of what is different, is ours.
    const ours = seedDocuments.flatMap(({ guide }) =>
      readFileSync(join(repositoryRoot, 'docs', guide), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('| '))
        .flatMap((line) => [...(line.split(' | ').at(-1) ?? '').matchAll(/`(\w+)[`(.:]/g)].map(([, word = '']) => `${guide}: ${word}`)),
    );
    expect(ours.length).toBeGreaterThan(100);
    expect(ours.filter((word) => !known.has(word.split(': ')[1] ?? ''))).toEqual([]);
  });

  it('notices an item without a test or a page, and what a test or a page cites that is no item', () => {
    const document: SeedDocument = {
      id: 'S0',
      system: 'x',
      title: 'x',
      guide: 'x.md',
      items: [
        { number: 1, what: 'a' },
        { number: 4, what: 'c', page: 'nowhere.md' },
        { number: 5, what: 'd', shownBy: 'test/repo/words.test.ts' },
      ],
    };
    const text = '## A `b`: c\n\n<!-- shows: S0-1\nS0-4 -->\n\n### Different\n\n| S0-1, S1-1 | why |\n';
    const places = seedPlaces(text);
    expect(Object.fromEntries(places)).toEqual({
      'S0-1': { anchor: 'different', different: true },
      'S0-4': { anchor: 'a-b-c', different: false },
      'S1-1': { anchor: 'different', different: true },
    });
    const cited = new Map([['S0-3', [{ file: 'a.test.ts', features: [] }]]]);
    expect(seedProblems(cited, [document], new Map([['S0', places]]))).toEqual([
      'S0-3 is cited by a test and described nowhere.',
      'S1-1 is on the page of S0 and none of its items.',
      'S0-1 has no test.',
      'S0-4 names docs/nowhere.md, which is not there.',
      'S0-5 is said to be shown by test/repo/words.test.ts, and no assertion there has its id.',
      'S0-5 is on no page.',
    ]);
  });
});
