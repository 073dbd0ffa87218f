import type { SkillDiagnostic, SkillError, SkillProvider } from '@repertoire/skills-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSkillSearch } from '../src/index.ts';
import { Library } from './support/library.ts';
import { names } from './support/names.ts';

const letters = ['alpha', 'beta', 'gamma', 'delta', 'omega'];

describe('DIS-14: the index keeps in step with its provider', () => {
  it('asks nothing before it is needed, and reads each skill once', async () => {
    const library = new Library({ name: 'a', body: 'tea' }, { name: 'b', body: 'tea' });
    const search = createSkillSearch(library.provider());
    expect(search.status()).toMatchObject({ skills: 0, due: 0, vectors: 0, indexBytes: 0, diagnostics: [] });
    expect(library.listings).toBe(0);
    await Promise.all([search.search('tea'), search.search('tea'), search.search('tea')]);
    await search.search('tea');
    expect(library.listings).toBe(1);
    expect(library.reads.toSorted()).toEqual(['a', 'b']);
    expect(search.status()).toMatchObject({ skills: 2, due: 0 });
    expect(search.status().indexBytes).toBeGreaterThan(0);
  });

  it('lists again when a listing is stale, and reads only what changed', async () => {
    const library = new Library({ name: 'a', body: 'tea' }, { name: 'b', version: '1', body: 'tea' }, { name: 'c', body: 'tea' });
    let now = 0;
    const search = createSkillSearch(library.provider(), { now: () => now, staleAfterMs: 100 });
    await search.search('tea');
    library.reads.length = 0;
    library.put({ name: 'b', version: '2', body: 'coffee' });
    library.remove('c');
    library.put({ name: 'd', body: 'tea' });
    now = 99;
    expect(await names(search, 'coffee')).toEqual([]);
    now = 100;
    expect(await names(search, 'coffee')).toEqual(['b']);
    expect(await names(search, 'tea')).toEqual(['a', 'd']);
    expect(library.reads.toSorted()).toEqual(['b', 'd']);
    expect(library.listings).toBe(2);
  });

  it('follows what a provider tells of, also where only a body changed', async () => {
    const library = new Library({ name: 'a', body: 'tea' }, { name: 'b', version: '1', body: 'tea' });
    const search = createSkillSearch(library.provider({ watches: true }), { staleAfterMs: Number.POSITIVE_INFINITY });
    await search.search('tea');
    library.put({ name: 'a', body: 'coffee' });
    library.reads.length = 0;
    expect(await names(search, 'coffee')).toEqual([]);
    library.changed();
    expect(await names(search, 'coffee')).toEqual(['a']);
    // What has a version does not change without another one.
    expect(library.reads).toEqual(['a']);
    const { listings } = library;
    await search.search('tea');
    expect(library.listings).toBe(listings);
    search[Symbol.dispose]();
    expect(library.watchers).toBe(0);
    for (const call of [search.search('tea'), search.refresh()])
      await expect(call).rejects.toMatchObject({ code: 'source-unavailable' } satisfies Partial<SkillError>);
  });

  it('reads again by the digest that the host tells', async () => {
    const library = new Library({ name: 'a', body: 'tea', metadata: { sha: '1' } });
    const search = createSkillSearch(library.provider(), { digestOf: ({ metadata }) => metadata?.['sha'] });
    await search.refresh();
    await search.refresh({ rereads: true });
    expect(library.reads).toEqual(['a']);
    library.put({ name: 'a', body: 'coffee', metadata: { sha: '2' } });
    await search.refresh();
    expect(library.reads).toEqual(['a', 'a']);
    expect(await names(search, 'coffee')).toEqual(['a']);
  });

  it('reads everything without version and digest again when told to', async () => {
    const library = new Library({ name: 'a', body: 'tea' });
    const search = createSkillSearch(library.provider());
    await search.refresh();
    library.put({ name: 'a', body: 'coffee' });
    await search.refresh();
    expect(await names(search, 'coffee')).toEqual([]);
    await search.refresh({ rereads: true });
    expect(await names(search, 'coffee tea')).toEqual(['a']);
    expect(await names(search, 'tea')).toEqual([]);
  });

  it('takes a changed origin over without reading again', async () => {
    const library = new Library({ name: 'a', body: 'tea', origin: { kind: 'code', label: 'x', trusted: true } });
    const search = createSkillSearch(library.provider(), { staleAfterMs: 0 });
    await search.search('tea');
    library.put({ name: 'a', body: 'tea', origin: { kind: 'code', label: 'x', trusted: false } });
    expect(await names(search, 'tea', { filter: { trusted: true } })).toEqual([]);
    expect(library.reads).toEqual(['a']);
  });

  it('reads SKILL.md and not the list of files, and gets the whole skill where the source has no such file', async () => {
    const written = '\uFEFF\r\n---\r\nname: a\r\ndescription: Handles a.\r\n---\r\n\r\n## Brewing\r\n\r\ntea\r\n';
    const library = new Library(
      { name: 'a', body: '## Brewing\n\ntea' },
      { name: 'b', body: '## Brewing\n\ncoffee' },
      { name: 'c', body: 'milk' },
      { name: 'd', body: 'milk' },
    );
    const whole = createSkillSearch(library.provider(), { concurrency: 1 });
    await whole.refresh();
    library.reads.length = 0;
    library.fileReads.length = 0;
    library.files.set('a', written);
    // What only a full parser reads is left to the provider.
    library.files.set('b', '<!-- note -->\n---\nname: b\ndescription: Handles b.\n---\n## Brewing\n\ncoffee');
    const search = createSkillSearch(library.provider(), { concurrency: 1 });
    await search.refresh();
    expect(library.reads).toEqual(['b', 'c', 'd']);
    // Asked for once in a source that has none.
    expect(library.fileReads).toEqual(['a', 'b', 'c']);
    expect(search.exportIndex()).toEqual(whole.exportIndex());
  });

  it('reads no bodies where the host wants none', async () => {
    const library = new Library({ name: 'a', body: 'tea' }, { name: 'b', body: 'tea' });
    expect(await names(createSkillSearch(library.provider(), { bodies: false }), 'tea handles')).toEqual(['a', 'b']);
    expect(library.reads).toEqual([]);
    expect(await names(createSkillSearch(library.provider(), { bodies: ({ name }) => name === 'b' }), 'tea')).toEqual(['b']);
    expect(library.reads).toEqual(['b']);
  });

  it('finds a skill that cannot be read by level 1, says so once, and reads it later', async () => {
    const library = new Library(
      { name: 'a', body: 'tea' },
      { name: 'b', body: 'tea' },
      { name: 'c', body: 'tea' },
      { name: 'd', body: 'tea' },
    );
    library.failing.add('a');
    library.hanging.add('b');
    library.gone.add('c');
    const told: SkillDiagnostic[] = [];
    const search = createSkillSearch(library.provider(), {
      staleAfterMs: 0,
      readTimeoutMs: 5,
      onDiagnostic: (diagnostic) => told.push(diagnostic),
    });
    await search.search('tea');
    const { candidates, partial, diagnostics } = await search.search('handles tea');
    expect(partial).toBe(true);
    expect(await search.refresh()).toMatchObject({ skills: 4, due: 0, unread: 3 });
    expect(candidates.map(({ name }) => name)).toEqual(['d', 'a', 'b', 'c']);
    expect(diagnostics.map(({ code, skill }) => [code, skill])).toEqual([
      ['search-skill-unread', 'a'],
      ['search-skill-unread', 'c'],
      ['search-skill-unread', 'b'],
    ]);
    expect(told.map(({ code, skill }) => [code, skill])).toEqual(diagnostics.map(({ code, skill }) => [code, skill]));
    expect(diagnostics[0]?.message).toContain('the page is torn');
    library.failing.clear();
    library.hanging.clear();
    library.gone.clear();
    const later = await search.search('tea');
    expect(later.candidates.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    expect(later).toMatchObject({ partial: false, diagnostics: [] });
    expect(search.status().unread).toBe(0);
  });

  it('answers by level 1 when reading takes longer than a search may wait', async () => {
    const library = new Library({ name: 'slow', body: 'tea' });
    library.hanging.add('slow');
    const search = createSkillSearch(library.provider(), { maxWaitMs: 0 });
    expect((await search.search('slow')).candidates.map(({ name }) => name)).toEqual(['slow']);
    expect(await search.search('slow')).toMatchObject({
      partial: true,
      diagnostics: [{ code: 'search-index-incomplete', severity: 'info' }],
    });
    expect(search.status()).toMatchObject({ skills: 1, due: 1, unread: 0 });
  });

  it('waits for a first listing however long it takes, and not for the reading behind it', async () => {
    const library = new Library({ name: 'slow', body: 'tea' });
    library.hanging.add('slow');
    const provider: SkillProvider = {
      ...library.provider(),
      listSkills: async (options) => {
        // Later than a search may wait.
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
        return await library.provider().listSkills(options);
      },
    };
    const search = createSkillSearch(provider, { maxWaitMs: 0, readTimeoutMs: Number.POSITIVE_INFINITY });
    expect(await names(search, 'slow')).toEqual(['slow']);
    expect(library.reads).toEqual(['slow']);
  });

  it('rejects while a source was never listed, and answers with the last listing afterwards', async () => {
    const library = new Library({ name: 'a', body: 'tea' });
    library.isDown = true;
    let now = 0;
    const search = createSkillSearch(library.provider(), { now: () => now, staleAfterMs: 10 });
    await expect(search.search('tea')).rejects.toThrow('the shelf is locked');
    await expect(search.search('tea')).rejects.toThrow('the shelf is locked');
    library.isDown = false;
    expect(await names(search, 'tea')).toEqual(['a']);
    library.isDown = true;
    now = 10;
    const answer = await search.search('tea');
    expect(answer.candidates.map(({ name }) => name)).toEqual(['a']);
    expect(answer.diagnostics).toMatchObject([{ code: 'search-source-unavailable', severity: 'warning' }]);
    // A source that is down is not asked at each search.
    const { listings } = library;
    expect((await search.search('tea')).diagnostics).toHaveLength(1);
    expect(library.listings).toBe(listings);
    await expect(search.refresh()).rejects.toThrow('the shelf is locked');
  });

  it('goes on indexing for others when one caller gives up', async () => {
    const library = new Library({ name: 'a', body: 'tea' });
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const provider: SkillProvider = {
      ...library.provider(),
      listSkills: async (options) => {
        await opened;
        return await library.provider().listSkills(options);
      },
    };
    const search = createSkillSearch(provider);
    const controller = new AbortController();
    const given = search.search('tea', { signal: controller.signal });
    const waiting = search.search('tea');
    controller.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    open();
    expect((await waiting).candidates.map(({ name }) => name)).toEqual(['a']);
    expect(library.listings).toBe(1);
  });

  it('is the same after any changes as an index that is built anew: scores too', async () => {
    const change = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      version: fc.constantFrom('1', '2', '3'),
      words: fc.array(fc.constantFrom(...letters), { maxLength: 8 }),
      removes: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 5 }), { minLength: 1, maxLength: 12 }), async (rounds) => {
        const library = new Library({ name: 'z', version: '1', body: 'alpha beta' });
        const search = createSkillSearch(library.provider());
        for (const round of rounds) {
          for (const { name, version, words, removes } of round) {
            library.remove(name);
            if (!removes)
              library.put({
                name,
                version: `${version}${words.length}${words.join('').length}`,
                description: words.join(' '),
                body: `# ${words.toReversed().join(' ')}`,
              });
          }
          await search.refresh({ rereads: true });
        }
        const anew = createSkillSearch(library.provider());
        for (const query of [...letters, letters.join(' ')])
          expect((await search.search(query, { limit: 100 })).candidates).toEqual((await anew.search(query, { limit: 100 })).candidates);
      }),
      { seed: 14, numRuns: 60 },
    );
  });
});
