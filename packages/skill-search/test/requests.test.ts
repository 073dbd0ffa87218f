import { SkillError } from '@repertoire/skills-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSkillSearch, skillEmbedder, type SkillSearchOptions } from '../src/index.ts';
import { Library } from './support/library.ts';
import { names } from './support/names.ts';

const code = async (work: () => unknown): Promise<string> => {
  try {
    await work();
    return 'none';
  } catch (error) {
    return SkillError.isInstance(error) ? error.code : String(error);
  }
};

describe('DIS-14: requests and options', () => {
  it('filters by source, tag, trust and a rule of the host', async () => {
    const origin = (label: string, trusted: boolean) => ({ kind: 'code', label, trusted });
    const search = createSkillSearch(
      new Library(
        { name: 'a', body: 'tea', origin: origin('ours', true), metadata: { tags: 'Hot, sweet' } },
        { name: 'b', body: 'tea', origin: origin('theirs', false), fields: { tags: ['cold'] } },
        { name: 'c', body: 'tea' },
      ).provider(),
    );
    expect(await names(search, 'tea')).toEqual(['a', 'b', 'c']);
    expect(await names(search, 'tea', { filter: { sources: ['theirs'] } })).toEqual(['b']);
    expect(await names(search, 'tea', { filter: { trusted: true } })).toEqual(['a']);
    // Where nobody says, nobody vouches.
    expect(await names(search, 'tea', { filter: { trusted: false } })).toEqual(['b', 'c']);
    expect(await names(search, 'tea', { filter: { tags: ['COLD', 'sweet'] } })).toEqual(['a', 'b']);
    expect(await names(search, 'tea', { filter: { where: ({ name }) => name > 'a', sources: [''] } })).toEqual(['c']);
    expect(await names(search, 'tea', { limit: 1, filter: { where: ({ name }) => name === 'c' } })).toEqual(['c']);
  });

  it('hides a skill from a filter that throws, and says so', async () => {
    const search = createSkillSearch(new Library({ name: 'a', body: 'tea' }, { name: 'b', body: 'tea' }).provider());
    const where = ({ name }: { name: string }): boolean => {
      if (name === 'a') throw new Error('no');
      return true;
    };
    const { candidates, diagnostics } = await search.search('tea', { filter: { where } });
    expect(candidates.map(({ name }) => name)).toEqual(['b']);
    expect(diagnostics).toMatchObject([{ code: 'search-filter-failed', skill: 'a' }]);
  });

  it('DIS-10: does not show a model what only a person may start, nor a person what only a model may', async () => {
    const search = createSkillSearch(
      new Library(
        { name: 'both', body: 'tea' },
        { name: 'person', body: 'tea', disableModelInvocation: true },
        { name: 'model', body: 'tea', userInvocable: false },
      ).provider(),
    );
    expect(await names(search, 'tea')).toEqual(['both', 'model']);
    expect(await names(search, 'tea', { audience: 'person' })).toEqual(['both', 'person']);
    expect(await names(search, 'tea', { audience: 'host' })).toEqual(['both', 'model', 'person']);
  });

  it('gives what belongs to the caller', async () => {
    const origin = { kind: 'code', label: 'ours', trusted: true };
    const search = createSkillSearch(new Library({ name: 'a', body: 'tea', origin }).provider());
    const [candidate] = (await search.search('tea')).candidates;
    Object.assign(candidate?.origin ?? {}, { trusted: false });
    expect((await search.search('tea', { filter: { trusted: true } })).candidates[0]?.origin).toEqual(origin);
  });

  it('refuses what cannot work', async () => {
    const make = (options: SkillSearchOptions) => code(() => createSkillSearch(new Library().provider(), options));
    expect(await make({ concurrency: 0 })).toBe('invalid-options');
    expect(await make({ staleAfterMs: -1 })).toBe('invalid-options');
    expect(await make({ maxWaitMs: Number.NaN })).toBe('invalid-options');
    expect(await code(() => skillEmbedder({ id: 'x', model: async () => [], batchSize: 1.5 }))).toBe('invalid-options');
    const search = createSkillSearch(new Library().provider());
    for (const limit of [0, 101, 1.5, Number.NaN]) expect(await code(() => search.search('tea', { limit }))).toBe('invalid-options');
    expect(await code(() => search.search(7 as unknown as string))).toBe('invalid-options');
  });

  it('rejects with the reason of an abort, before and meanwhile', async () => {
    const library = new Library({ name: 'a', body: 'tea' });
    library.hanging.add('a');
    const search = createSkillSearch(library.provider());
    const reason = new Error('enough');
    await expect(search.search('tea', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(search.refresh({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(library.listings).toBe(0);
    const controller = new AbortController();
    const searching = search.search('tea', { signal: controller.signal });
    controller.abort(reason);
    await expect(searching).rejects.toBe(reason);
  });

  it('reads the start of a huge request, and says so', async () => {
    const search = createSkillSearch(new Library({ name: 'a', body: 'tea' }).provider());
    const { candidates, diagnostics } = await search.search(`tea ${'(a+)+$ '.repeat(1_000_000)}`);
    expect(candidates.map(({ name }) => name)).toEqual(['a']);
    expect(diagnostics).toMatchObject([{ code: 'search-query-cut', severity: 'info' }]);
    expect(await names(search, `${'coffee '.repeat(3_000)}tea`)).toEqual([]);
    const words = Array.from({ length: 400 }, (_, index) => `w${index}`).join(' ');
    expect((await search.search(words)).diagnostics).toMatchObject([{ code: 'search-query-cut' }]);
    expect((await search.search(words.slice(0, 800))).diagnostics).toEqual([]);
  });

  it('reads the start of a huge skill, and takes anything for text', async () => {
    const library = new Library(
      { name: 'a', description: `first ${'ab '.repeat(3_000_000)} last`, body: `${'b'.repeat(5_000_000)} middle` },
      { name: 'c', body: `early ${'漢字'.repeat(2_000_000)}`, description: '.*(a|a)*$ \\ [ ${x} __proto__' },
      { name: 'constructor', body: '```\n'.repeat(100_001), metadata: { tags: ','.repeat(100_000) } },
    );
    const search = createSkillSearch(library.provider());
    expect(await names(search, 'first')).toEqual(['a']);
    expect(await names(search, 'last middle')).toEqual([]);
    expect(await names(search, 'early')).toEqual(['c']);
    expect(await names(search, '__proto__')).toEqual(['c']);
    expect(await names(search, 'constructor')).toEqual(['constructor']);
  });

  it('answers any request over any skills: only skills of the library, each once, with scores that fall', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.lorem(),
      fc.string({ unit: fc.constantFrom('漢', '字', 'a', 'B', ' ', '\n', '#', '`', '.', 'For', '\u0301', '\ud800') }),
    );
    const skills = fc.uniqueArray(fc.record({ name: fc.stringMatching(/^[a-z]{1,6}$/), description: text, body: text }), {
      selector: ({ name }) => name,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(skills, text, async (shelf, query) => {
        const search = createSkillSearch(new Library(...shelf).provider());
        const { candidates } = await search.search(query);
        const found = candidates.map(({ name }) => name);
        expect(new Set(found).size).toBe(found.length);
        expect(shelf.map(({ name }) => name)).toEqual(expect.arrayContaining(found));
        for (const { score, matches } of candidates) {
          expect(score).toBeGreaterThan(0);
          expect(matches.length).toBeGreaterThan(0);
        }
        expect(candidates.map(({ score }) => score)).toEqual(candidates.map(({ score }) => score).toSorted((a, b) => b - a));
      }),
      { seed: 14, numRuns: 200 },
    );
  });
});
