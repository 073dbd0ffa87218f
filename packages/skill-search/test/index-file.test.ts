import fc from 'fast-check';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSkillSearch, type SkillSearchOptions } from '../src/index.ts';
import { Library } from './support/library.ts';
import { names } from './support/names.ts';

/** A search that waits for every skill to be read, so that a slow machine changes no answer. */
const patient = (library: Library, options: SkillSearchOptions = {}) =>
  createSkillSearch(library.provider(), { maxWaitMs: Number.POSITIVE_INFINITY, readTimeoutMs: Number.POSITIVE_INFINITY, ...options });

const many = () =>
  new Library(
    ...Array.from({ length: 600 }, (_, index) => ({
      name: `s${index}`,
      version: '1',
      description: `Number ${index}.`,
      body: `## Tea\n\nword${index}`,
    })),
  );

async function written(library: Library): Promise<Uint8Array<ArrayBuffer>> {
  const search = patient(library);
  await search.refresh();
  return search.exportIndex();
}

describe('DIS-14: an index that was written before', () => {
  it('answers like the one that was written, and reads no skill', async () => {
    const library = many();
    const fresh = patient(library);
    const expected = await fresh.search('tea number 42', { limit: 100 });
    const index = fresh.exportIndex();
    library.reads.length = 0;
    // Any view of the bytes will do.
    const shifted = new Uint8Array(index.length + 3).subarray(3);
    shifted.set(index);
    for (const bytes of [index, shifted]) {
      const search = patient(library, { index: bytes });
      expect(await search.search('tea number 42', { limit: 100 })).toEqual(expected);
      expect(await search.refresh()).toMatchObject({ skills: 600, due: 0, diagnostics: [] });
    }
    expect(library.reads).toEqual([]);
    expect(index).toEqual(await written(many()));
  });

  it('reads what has changed since, and finds nothing that is gone', async () => {
    const library = many();
    const index = await written(library);
    library.remove('s7');
    library.put({ name: 's8', version: '2', body: 'coffee' });
    library.put({ name: 'new', body: 'coffee' });
    library.reads.length = 0;
    const search = patient(library, { index });
    expect((await names(search, 'coffee')).toSorted()).toEqual(['new', 's8']);
    expect(await names(search, 'word7')).toEqual([]);
    expect(await names(search, 'word8')).toEqual([]);
    expect(await names(search, 'word9')).toEqual(['s9']);
    expect(library.reads.toSorted()).toEqual(['new', 's8']);
  });

  it('shows nothing of a library that cannot be listed', async () => {
    const library = many();
    const index = await written(library);
    library.isDown = true;
    await expect(patient(library, { index }).search('tea')).rejects.toThrow('the shelf is locked');
  });

  it('is taken up a part at a time, so that others have their turn', async () => {
    const words = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ');
    const skills = Array.from({ length: 600 }, (_, index) => ({ name: `s${index}`, version: '1', body: words }));
    const library = new Library(...skills);
    const index = await written(library);
    const provider = library.provider();
    let [turns, given, listed] = [0, 0, 0];
    let ended = false;
    onTestFinished(() => void (ended = true));
    const take = (): void => {
      turns += 1;
      if (!ended) setImmediate(take);
    };
    setImmediate(take);
    const search = createSkillSearch(
      {
        ...provider,
        listSkills: async (options) => {
          listed = turns;
          return provider.listSkills(options);
        },
      },
      {
        maxWaitMs: Number.POSITIVE_INFINITY,
        index: async () => {
          given = turns;
          return index;
        },
      },
    );
    await search.refresh();
    expect(listed - given).toBeGreaterThan(0);
  });

  it('is refused as a whole where only its end is damaged', async () => {
    const library = many();
    const index = await written(library);
    const search = patient(library, { index: index.subarray(0, index.length - 4) });
    for (const one of [0, 9]) expect(await names(search, `word${one}`)).toEqual([`s${one}`]);
    expect(await search.refresh()).toMatchObject({ skills: 600, due: 0, diagnostics: [{ code: 'search-index-unusable' }] });
  });

  it('takes up what was not read when it was written', async () => {
    const library = new Library({ name: 'a', body: 'tea' }, { name: 'b', body: 'tea' });
    library.failing.add('b');
    const index = await written(library);
    library.failing.clear();
    library.reads.length = 0;
    expect(await names(patient(library, { index }), 'tea')).toEqual(['a', 'b']);
    expect(library.reads).toEqual(['b']);
  });

  it('is refused where it is damaged, cut or something else, and made anew', async () => {
    const library = new Library({ name: 'a', body: 'tea' }, { name: 'b', body: 'tea and milk' });
    const index = await written(library);
    const text = new TextDecoder('latin1').decode(index);
    const other = Uint8Array.from(text.replace(/skill-search \d/, 'skill-search 0'), (character) => character.charCodeAt(0));
    for (const bytes of [
      new Uint8Array(),
      new Uint8Array(3),
      new Uint8Array(400),
      index.subarray(0, index.length - 4),
      index.subarray(0, 60),
      other,
    ]) {
      const { candidates, diagnostics } = await patient(library, { index: bytes }).search('tea');
      expect(candidates.map(({ name }) => name)).toEqual(['a', 'b']);
      expect(diagnostics).toMatchObject([{ code: 'search-index-unusable', severity: 'warning' }]);
    }
  });

  it('leads nowhere when any of its bytes is another', async () => {
    const library = new Library({ name: 'a', body: 'tea' }, { name: 'b', body: 'tea and milk' });
    const index = await written(library);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: index.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = index.slice();
        damaged[at] = (damaged[at] ?? 0) ^ change;
        const found = await names(patient(library, { index: damaged }), 'tea milk');
        expect(['a', 'b']).toEqual(expect.arrayContaining(found));
        expect(new Set(found).size).toBe(found.length);
      }),
      { seed: 14, numRuns: 300 },
    );
  });
});

describe('DIS-14: an index that is got from where it was published', () => {
  it('is asked for once, when the library is first searched', async () => {
    const library = many();
    const index = await written(library);
    library.reads.length = 0;
    let asked = 0;
    const search = patient(library, { index: async () => ((asked += 1), index) });
    expect(asked).toBe(0);
    expect(await names(search, 'word9')).toEqual(['s9']);
    expect(await search.refresh()).toMatchObject({ skills: 600, due: 0, diagnostics: [] });
    expect([asked, library.reads]).toEqual([1, []]);
  });

  it('is done without where there is none, or it cannot be had', async () => {
    const library = new Library({ name: 'a', body: 'tea' });
    const without = patient(library, { index: async () => null });
    expect(await names(without, 'tea')).toEqual(['a']);
    expect(without.status().diagnostics).toEqual([]);
    const failing = patient(library, { index: async () => await Promise.reject(new Error('the store is shut')) });
    expect(await names(failing, 'tea')).toEqual(['a']);
    expect(failing.status().diagnostics).toMatchObject([{ code: 'search-index-unusable', message: 'the store is shut' }]);
  });

  it('is got again by the next search where the first one gave up', async () => {
    const library = new Library({ name: 'a', version: '1', body: 'tea' });
    const index = await written(library);
    library.reads.length = 0;
    const controller = new AbortController();
    const reason = new Error('enough');
    let asked = 0;
    const search = patient(library, {
      index: async ({ signal }) => {
        asked += 1;
        if (asked > 1) return index;
        controller.abort(reason);
        signal?.throwIfAborted();
        return index;
      },
    });
    await expect(search.refresh({ signal: controller.signal })).rejects.toBe(reason);
    expect(await names(search, 'tea')).toEqual(['a']);
    expect(library.reads).toEqual([]);
  });

  it('is used with the digest that was told, and with no other', async () => {
    const library = many();
    const index = await written(library);
    const digest = await sha256Hex(index);
    library.reads.length = 0;
    const right = patient(library, { index, indexDigest: digest });
    expect(await right.refresh()).toMatchObject({ due: 0, diagnostics: [] });
    expect(library.reads).toEqual([]);
    const forged = index.slice();
    forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1;
    const refused = patient(library, { index: async () => forged, indexDigest: digest });
    expect(await names(refused, 'word9')).toEqual(['s9']);
    expect(library.reads).toHaveLength(600);
    expect(refused.status().diagnostics).toMatchObject([
      { code: 'search-index-unusable', message: expect.stringContaining('its SHA-256 is another') },
    ]);
  });

  it('of another library shows none of its skills, and says so', async () => {
    const other = await written(new Library({ name: 'secret', body: 'tea' }, { name: 'b', description: 'Forged.', body: 'tea' }));
    const library = new Library({ name: 'a', body: 'tea' }, { name: 'b', description: 'Real.', body: 'coffee' });
    const search = patient(library, { index: other });
    const { candidates } = await search.search('tea', { limit: 10 });
    expect(candidates.map(({ name }) => name)).toEqual(['a']);
    expect((await search.search('coffee')).candidates).toMatchObject([{ name: 'b', description: 'Real.' }]);
    expect(search.status()).toMatchObject({
      skills: 2,
      due: 0,
      diagnostics: [
        {
          code: 'search-index-stale',
          severity: 'info',
          message: expect.stringMatching(/2 of 2 skills are not in it .* 1 that it has are not listed/),
        },
      ],
    });
  });
});
