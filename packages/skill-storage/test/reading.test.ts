import { turnsDuring } from '../../skills-testkit/src/turns-during.ts';
import { describe, expect, it } from 'vitest';
import { publishSkillsToStorage, storageSkillProvider } from '../src/index.ts';
import { generation, generationsSeen } from './support/libraries.ts';
import { MemoryStore } from './support/memory-store.ts';
import { large, published } from './support/published.ts';

const kinds = (calls: readonly string[]) => calls.map((call) => call.replace(/[0-9a-f]{64}/, '*'));

describe('SRC-9: what a reader asks of a store', () => {
  it('reads a long release in slices', async () => {
    const store = new MemoryStore();
    await publishSkillsToStorage(
      store,
      generation(
        1,
        Array.from({ length: 2_000 }, (_, at) => `skill-${at}`),
      ),
    );
    const provider = storageSkillProvider({ store });
    expect(await turnsDuring(() => provider.listSkills())).toBeGreaterThanOrEqual(4);
    expect((await provider.listSkills()).skills).toHaveLength(2_000);
  });

  it('lists by the pointer and the release, and keeps what never changes', async () => {
    const { store, provider, clock } = await published();
    await provider.listSkills();
    expect(kinds(store.asked())).toEqual(['get current.json', 'get releases/*.json']);
    await provider.listSkills();
    expect(store.asked()).toEqual([]);
    clock.time = 10_000;
    await provider.listSkills();
    expect(kinds(store.asked())).toEqual(['get current.json']);
    await provider.getSkill('alpha');
    expect(kinds(store.asked())).toEqual(['get files/*']);
    await provider.getSkill('alpha');
    await provider.readResource('alpha', 'references/guide.md');
    expect(kinds(store.asked())).toEqual(['get files/*']);
  });

  it('asks at each call where staleAfterMs is 0, and sees the next release at once', async () => {
    const { store, provider } = await published({ staleAfterMs: 0 });
    expect(await generationsSeen(provider)).toEqual([1]);
    await publishSkillsToStorage(store, generation(2));
    expect(await generationsSeen(provider)).toEqual([2]);
  });

  it('serves one release for staleAfterMs, and the next one after that', async () => {
    const { store, provider, clock } = await published({ staleAfterMs: 500 });
    await provider.listSkills();
    await publishSkillsToStorage(store, generation(2));
    clock.time = 499;
    expect(await generationsSeen(provider)).toEqual([1]);
    clock.time = 500;
    expect(await generationsSeen(provider)).toEqual([2]);
  });

  it('CON-2: reads no more of a file than is wanted', async () => {
    const { store, provider } = await published({}, large);
    const limits: (number | undefined)[] = [];
    const { get } = store;
    store.get = function (key, options) {
      limits.push(options?.maxBytes);
      return get.call(this, key, options);
    };
    await provider.getSkill('large');
    limits.length = 0;
    for (const maxBytes of [10, 0, 1e9]) await provider.readResource('large', 'assets/large.bin', { maxBytes });
    await provider.readResource('large', 'empty.txt');
    expect(limits).toEqual([10, 100_000]);
  });

  it('keeps level 2 up to memoryBytes', async () => {
    const { store, provider } = await published({ limits: { memoryBytes: 500 } });
    await provider.getSkill('alpha');
    await provider.getSkill('beta');
    store.asked();
    await provider.getSkill('beta');
    expect(store.asked()).toEqual([]);
    await provider.getSkill('alpha');
    expect(kinds(store.asked())).toEqual(['get files/*']);
  });

  it('never waits for what another call began', async () => {
    const { store, provider } = await published();
    let begun = 0;
    // The first call's request is given up by its runtime: it never settles.
    store.before = () => ((begun += 1) === 1 ? new Promise(() => {}) : undefined);
    void provider.listSkills();
    expect((await provider.listSkills()).skills).toHaveLength(2);
  });
});

describe('CON-1: a listing is one frozen object', () => {
  it('as long as the release is the same, and also while the store is away', async () => {
    const { store, provider } = await published({ staleAfterMs: 0 });
    const listing = await provider.listSkills();
    const [skill] = listing.skills;
    expect([listing, listing.skills, listing.diagnostics, skill, skill?.origin].every((part) => Object.isFrozen(part))).toBe(true);
    expect(await provider.listSkills()).toBe(listing);
    store.before = () => Promise.reject(new Error('R2 is down'));
    const stale = await provider.listSkills();
    expect(stale.diagnostics.map(({ code }) => code)).toEqual(['stale-release']);
    // GOV-16: a host counts what it opens from the last answer on.
    expect([listing.unconfirmed, Object.keys(stale.unconfirmed ?? {})]).toEqual([undefined, [provider.label]]);
    expect(stale.skills).toBe(listing.skills);
    expect(await provider.listSkills()).toBe(stale);
    store.before = () => Promise.reject(new Error('R2 is still down'));
    expect((await provider.listSkills()).diagnostics[0]?.message).toContain('still down');
    store.before = () => {};
    expect(await provider.listSkills()).toBe(listing);
    await publishSkillsToStorage(store, generation(2));
    expect(await provider.listSkills()).not.toBe(listing);
  });
});

describe('SRC-9: two looks at once', () => {
  it('end with what the later one saw, whichever is answered first', async () => {
    const { store, provider } = await published({ staleAfterMs: 1_000 });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { get } = store;
    let looks = 0;
    store.get = async function (key, options) {
      const found = await get.call(this, key, options);
      // The first look got the old pointer, and is slow to bring it.
      if (key === 'current.json' && (looks += 1) === 1) await held;
      return found;
    };
    const slow = provider.listSkills();
    await publishSkillsToStorage(store, generation(2));
    expect((await provider.listSkills()).skills[0]?.description).toContain('generation 2');
    release();
    expect((await slow).skills[0]?.description).toContain('generation 1');
    expect((await provider.listSkills()).skills[0]?.description).toContain('generation 2');
  });
});

describe('SRC-9: a store that is away', () => {
  it('is answered from the last good release, and told', async () => {
    const { store, provider, codes, clock } = await published({ staleAfterMs: 0 });
    await generationsSeen(provider);
    store.before = () => Promise.reject(new Error('R2 is down'));
    expect((await provider.listSkills()).skills).toHaveLength(2);
    expect((await provider.getSkill('alpha'))?.body).toContain('generation 1');
    expect((await provider.listSkills()).diagnostics).toMatchObject([
      { code: 'stale-release', severity: 'warning', message: expect.stringContaining('R2 is down') },
    ]);
    await expect(provider.readResource('alpha', 'references/guide.md')).rejects.toMatchObject({
      code: 'source-unavailable',
      message: expect.stringContaining('R2 is down'),
    });
    store.before = () => {};
    clock.time += 1;
    expect(await codes()).toEqual([]);
  });

  it('rejects where nothing was read, with the way out', async () => {
    const { store, provider } = await published();
    store.before = () => Promise.reject(new Error('R2 is down'));
    await expect(provider.listSkills()).rejects.toMatchObject({
      code: 'source-unavailable',
      message: expect.stringMatching(/R2 is down.*Check/),
    });
    await expect(storageSkillProvider({ store: new MemoryStore(), prefix: 'team' }).listSkills()).rejects.toMatchObject({
      code: 'source-unavailable',
      message: expect.stringMatching(/team\/current\.json.*publishSkillsToStorage.*check the prefix/),
    });
  });

  it('is not taken for an empty one: the list stays where the pointer is gone', async () => {
    const { store, provider, codes } = await published({ staleAfterMs: 0 });
    await provider.listSkills();
    store.objects.delete('current.json');
    expect((await provider.listSkills()).skills).toHaveLength(2);
    expect(await codes()).toEqual(['stale-release']);
  });
});

describe('SRC-9: a store where things become visible one by one', () => {
  /** Everything is visible but what a test hides, as in KV, where the pointer may be seen before what it leads to. */
  async function delayed() {
    const { store, provider, codes } = await published({ staleAfterMs: 0 });
    const hidden = new Set<string>();
    const { get } = store;
    store.get = function (key, options) {
      return hidden.has(key) ? Promise.resolve(null) : get.call(this, key, options);
    };
    const old = new Set(store.objects.keys());
    const publishHidden = async () => {
      const { release } = await publishSkillsToStorage(store, generation(2, ['alpha', 'beta', 'gamma']));
      for (const key of store.objects.keys()) if (!old.has(key)) hidden.add(key);
      return release;
    };
    const show = (wanted: (key: string) => boolean) => {
      for (const key of hidden) if (wanted(key)) hidden.delete(key);
    };
    const documents = async (): Promise<string[]> => {
      const { release } = JSON.parse(new TextDecoder().decode(store.objects.get('current.json')?.bytes)) as { release: string };
      const { skills } = JSON.parse(new TextDecoder().decode(store.objects.get(`releases/${release}.json`)?.bytes)) as {
        skills: { document: { digest: string } }[];
      };
      return skills.map(({ document: { digest } }) => `files/${digest}`);
    };
    return { store, provider, codes, publishHidden, show, documents };
  }

  it('goes on with the release that it has, and with the one before where it has none', async () => {
    const { store, provider, codes, publishHidden, show } = await delayed();
    await provider.listSkills();
    await publishHidden();
    expect(await generationsSeen(provider)).toEqual([1]);
    expect(await codes()).toEqual(['release-unavailable']);
    const fresh = storageSkillProvider({ store, staleAfterMs: 0 });
    expect(await generationsSeen(fresh)).toEqual([1]);
    show(() => true);
    expect(await generationsSeen(provider)).toEqual([2]);
    expect(await generationsSeen(fresh)).toEqual([2]);
    expect(await codes()).toEqual([]);
  });

  it('serves a skill whole from the release before while its contents are not there', async () => {
    const { provider, codes, publishHidden, show, documents } = await delayed();
    await publishHidden();
    show((key) => key.startsWith('releases/'));
    const before = await provider.getSkill('alpha');
    expect([before?.description, before?.body].join()).toMatch(/generation 1\..*generation 1\./);
    expect(new TextDecoder().decode((await provider.readResource('alpha', 'references/guide.md'))?.bytes)).toContain('generation 1');
    expect(before?.diagnostics).toMatchObject([{ code: 'release-incomplete', severity: 'warning', skill: 'alpha' }]);
    await expect(provider.getSkill('gamma')).rejects.toMatchObject({
      code: 'source-unavailable',
      message: expect.stringContaining('try again in a minute'),
    });
    // Level 2 is there and its file is not: another release's file would be a mix.
    const keys = await documents();
    show((key) => keys.includes(key));
    expect((await provider.getSkill('alpha'))?.body).toContain('generation 2');
    await expect(provider.readResource('alpha', 'references/guide.md')).rejects.toMatchObject({ code: 'source-unavailable' });
    show(() => true);
    expect(await generationsSeen(provider)).toEqual([2]);
    expect(await codes()).toEqual([]);
  });

  it('says so where there is nothing to go on with', async () => {
    const { store, publishHidden } = await delayed();
    await publishHidden();
    for (const key of store.objects.keys()) if (key.startsWith('releases/')) store.objects.delete(key);
    await expect(storageSkillProvider({ store }).listSkills()).rejects.toMatchObject({
      code: 'source-unavailable',
      message: expect.stringContaining('try again in a minute'),
    });
  });
});

describe('SRC-9: limits', () => {
  it('hold before anything is in memory', async () => {
    await expect((await published({ limits: { releaseBytes: 100 } })).provider.listSkills()).rejects.toMatchObject({
      code: 'source-unavailable',
      message: expect.stringContaining('limits.releaseBytes (100)'),
    });
    await expect((await published({ limits: { skillBytes: 50 } })).provider.getSkill('alpha')).rejects.toMatchObject({
      code: 'limit-exceeded',
      message: expect.stringContaining('limits.skillBytes (50)'),
    });
    const { provider, store } = await published({ limits: { resourceBytes: 1_000 } }, large);
    await provider.getSkill('large');
    store.asked();
    await expect(provider.readResource('large', 'assets/large.bin')).rejects.toMatchObject({ code: 'limit-exceeded' });
    expect(store.asked()).toEqual([]);
    expect((await provider.readResource('large', 'assets/large.bin', { maxBytes: 5 }))?.bytes).toHaveLength(5);
  });

  it('cut a release with too many skills, and say so', async () => {
    const { provider } = await published({ limits: { skills: 1 } });
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['alpha']);
    expect(await provider.listSkills()).toMatchObject({
      complete: false,
      diagnostics: [{ code: 'release-truncated', severity: 'warning' }],
    });
    expect((await (await published({ limits: { skills: 2 } })).provider.listSkills()).complete).toBe(true);
  });

  it.each([{ store: undefined }, { store: { get: () => null } }])('are checked at once: %o', (options) => {
    expect(() => storageSkillProvider({ store: new MemoryStore(), ...(options as object) })).toThrow(
      expect.objectContaining({ code: 'invalid-options' }),
    );
  });
});
