import { createSkillLock } from '@repertoire/skill-trust/lock';
import { SkillError, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import type { SkillListing } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { watchSignals } from '../../../test/support/watch-signals.ts';
import {
  pruneSkills,
  publishSkillsToStorage,
  rollbackSkills,
  storageSkillProvider,
  type PublishSkillsToStorageOptions,
} from '../src/index.ts';
import { generation, generationsSeen } from './support/libraries.ts';
import { MemoryStore } from './support/memory-store.ts';

const reader = (store: MemoryStore, prefix = '') => storageSkillProvider({ store, prefix, staleAfterMs: 0 });

const publish = async (store: MemoryStore, options: PublishSkillsToStorageOptions) =>
  await publishSkillsToStorage(store, generation(1), options);

describe('SRC-9: publishing', () => {
  it('writes files, then the release, and the pointer last', async () => {
    const store = new MemoryStore();
    const { release, replaced, changed, skills, uploads, reused, bytes } = await publishSkillsToStorage(store, generation(1), {
      prefix: 'team/skills',
    });
    expect({ replaced, changed, skills, reused }).toEqual({ replaced: null, changed: true, skills: 2, reused: 0 });
    expect(uploads.map(({ skill, path }) => `${skill}/${path}`)).toEqual([
      'alpha/assets/data.bin',
      'alpha/contents.json',
      'alpha/references/guide.md',
      'beta/assets/data.bin',
      'beta/contents.json',
      'beta/references/guide.md',
    ]);
    expect(bytes).toBe(uploads.reduce((sum, { size }) => sum + size, 0));
    const puts = store.asked().filter((call) => call.startsWith('put '));
    expect(puts.slice(-2)).toEqual([`put team/skills/releases/${release}.json`, 'put team/skills/current.json']);
    expect(puts.slice(0, -2).every((call) => call.startsWith('put team/skills/files/'))).toBe(true);
    expect(await generationsSeen(reader(store, 'team/skills'))).toEqual([1]);
  });

  it('uploads a file that several skills have once', async () => {
    const store = new MemoryStore();
    const resources = { 'a.md': 'The same text.' };
    const shared = new SkillRegistry({
      skills: ['one', 'two'].map((name) => ({ name, description: `Does ${name}.`, body: 'B.', resources })),
    });
    const { uploads } = await publishSkillsToStorage(store, shared);
    expect(uploads.map(({ skill, path }) => `${skill}/${path}`).filter((path) => path.endsWith('a.md'))).toHaveLength(1);
    const written = store.asked().filter((call) => call.startsWith('put files/'));
    expect(written).toHaveLength(new Set(written).size);
  });

  it('uploads nothing and leaves the pointer alone where nothing changed, and only what changed else', async () => {
    const store = new MemoryStore();
    const first = await publishSkillsToStorage(store, generation(1));
    store.asked();
    expect(await publishSkillsToStorage(store, generation(1))).toMatchObject({
      release: first.release,
      replaced: first.release,
      changed: false,
      uploads: [],
      reused: 6,
    });
    expect(store.asked()).toEqual(['get current.json', 'list files/', 'list releases/']);
    const second = await publishSkillsToStorage(store, generation(1, ['alpha', 'beta', 'gamma']));
    expect(second).toMatchObject({ replaced: first.release, changed: true, skills: 3, reused: 6 });
    expect(second.uploads.map(({ skill }) => skill)).toEqual(['gamma', 'gamma', 'gamma']);
  });

  it('does not read files whose digests the source promises, where the store has them', async () => {
    const origin = new MemoryStore();
    await publishSkillsToStorage(origin, generation(1));
    const [source, mirror] = [storageSkillProvider({ store: origin }), new MemoryStore()];
    await publishSkillsToStorage(mirror, source);
    origin.asked();
    await publishSkillsToStorage(mirror, storageSkillProvider({ store: origin }));
    // The pointer, the release, level 2 of both skills; no file.
    expect(origin.asked()).toHaveLength(4);
    expect(await createSkillLock(storageSkillProvider({ store: mirror }))).toEqual(await createSkillLock(source));
  });

  it('tells what would be uploaded, and writes nothing, in a dry run', async () => {
    const store = new MemoryStore();
    const dry = await publishSkillsToStorage(store, generation(1), { dryRun: true });
    expect(store.objects.size).toBe(0);
    expect(await publishSkillsToStorage(store, generation(1))).toEqual(dry);
  });

  it('tells its progress', async () => {
    const seen: unknown[] = [];
    await publishSkillsToStorage(new MemoryStore(), generation(1), { concurrency: 1, onProgress: (progress) => seen.push(progress) });
    expect(seen).toHaveLength(8);
    expect(seen.at(-1)).toEqual({ skills: { done: 2, total: 2 }, uploaded: 6, bytes: expect.any(Number) });
  });

  it('CON-8: publishes a skill without a version beside versions of its name', async () => {
    const store = new MemoryStore();
    const skills = [
      { name: 'a', description: 'Old.', body: 'old' },
      { name: 'a', version: '1.0.0', description: 'New.', body: 'new' },
    ];
    await publishSkillsToStorage(store, new SkillRegistry({ skills }));
    const provider = storageSkillProvider({ store });
    expect((await provider.listSkills()).skills.map(({ version }) => version)).toEqual(['1.0.0', null]);
    expect(await provider.getSkill('a')).toMatchObject({ version: '1.0.0', body: 'new' });
    expect(await provider.getSkill('a', { version: null })).toMatchObject({ version: null, body: 'old' });
    expect((await createSkillLock(provider)).skills).toHaveLength(2);
  });

  it.each([
    ['../x', 'prefix'],
    ['a//b', 'prefix'],
    ['a:b', 'prefix'],
    ['a?b', 'prefix'],
    ['/a', 'prefix'],
  ])('refuses the prefix %s, which some stores would change', async (prefix) => {
    const call = publishSkillsToStorage(new MemoryStore(), generation(1), { prefix });
    await expect(call).rejects.toMatchObject({ code: 'invalid-options', message: expect.stringContaining(JSON.stringify(prefix)) });
    expect(() => storageSkillProvider({ store: new MemoryStore(), prefix })).toThrow(SkillError);
  });
});

describe('SRC-9: a publisher that is cut short', () => {
  it('leaves readers with the old release or the new one, whichever write was its last, and is resumed by another run', async () => {
    const writes = 8;
    for (let allowed = 0; allowed <= writes; allowed += 1) {
      const store = new MemoryStore();
      await publishSkillsToStorage(store, generation(1));
      const before = new Set(store.objects.keys());
      let left = allowed;
      store.before = (call) => {
        if (call === 'put' && (left -= 1) < 0) throw new Error('the connection is gone');
      };
      const run = publishSkillsToStorage(store, generation(2));
      if (allowed < writes)
        await expect(run).rejects.toMatchObject({ code: 'source-unavailable', message: expect.stringContaining('the connection is gone') });
      else await run;
      store.before = () => {};
      expect(await generationsSeen(reader(store)), `after ${allowed} writes`).toEqual([allowed < writes ? 1 : 2]);
      const there = [...store.objects.keys()].filter((key) => key.startsWith('files/') && !before.has(key)).length;
      const resumed = await publishSkillsToStorage(store, generation(2));
      expect(resumed.uploads.length, `after ${allowed} writes`).toBe(6 - there);
      expect(resumed.reused).toBe(there);
      expect(await generationsSeen(reader(store))).toEqual([2]);
    }
  });

  it('uploads again what has another size than it should', async () => {
    const store = new MemoryStore();
    await publishSkillsToStorage(store, generation(1));
    const key = [...store.objects.keys()].find((candidate) => candidate.startsWith('files/')) ?? '';
    store.tamper(key, (bytes) => bytes.slice(0, 3));
    expect((await publishSkillsToStorage(store, generation(1))).uploads).toHaveLength(1);
    expect(await generationsSeen(reader(store))).toEqual([1]);
  });

  it('rejects with the reason of an abort, and has changed nothing for readers', async () => {
    const store = new MemoryStore();
    await publishSkillsToStorage(store, generation(1));
    const controller = new AbortController();
    store.before = (call) => {
      if (call === 'put') controller.abort('enough');
    };
    await expect(publishSkillsToStorage(store, generation(2), { signal: controller.signal })).rejects.toBe('enough');
    store.before = () => {};
    expect(await generationsSeen(reader(store))).toEqual([1]);
  });

  it('names itself in what it refuses, whichever function of a store it is', async () => {
    const functions = { publishSkillsToStorage: publish, pruneSkills, rollbackSkills };
    for (const [name, call] of Object.entries(functions))
      await expect((async () => await call(new MemoryStore(), { x: 1 } as never))()).rejects.toThrow(
        new RegExp(`^${name} has no option "x"`),
      );
    await expect(rollbackSkills({} as never)).rejects.toThrow(/^rollbackSkills was given no store/);
  });

  it('looks for what it reused once more at the end, and for nothing where all is new', async () => {
    const store = new MemoryStore();
    const skills = ['first', 'second'].map((name) => ({ name, description: 'Does it.', body: `Do ${name}.` }));
    const lists = async (count: number, options: PublishSkillsToStorageOptions): Promise<number> => {
      await publishSkillsToStorage(store, new SkillRegistry({ skills: skills.slice(0, count) }), options);
      return store.asked().filter((call) => call === 'list files/').length;
    };
    expect(await lists(1, {})).toBe(1);
    expect(await lists(2, { dryRun: true })).toBe(1);
    expect(await lists(2, {})).toBe(2);
  });

  it('stores a signature that the source lists among other files once', async () => {
    const files = { 'a.md': 'A', 'skill.oms.sig': '{}', 'z.md': 'Z' };
    const library = new SkillRegistry({ skills: [{ name: 'signed', description: 'Is signed.', body: 'B', resources: files }] });
    const store = new MemoryStore();
    await publishSkillsToStorage(store, library);
    expect((await reader(store).getSkill('signed'))?.resources.map(({ path }) => path)).toEqual(Object.keys(files));
  });

  it('gives its signal to every call of the store and of the source (CON-1)', async () => {
    const { signal, calls, without, watch } = watchSignals();
    const [memory, signIndex] = [new MemoryStore(), async () => new Uint8Array(1)];
    const store = watch(memory);
    const releases: string[] = [];
    for (const number of [1, 2, 3, 4]) {
      const options = { signal, signIndex, verify: true, keep: 2 };
      releases.push((await publishSkillsToStorage(store, watch(generation(number)), options)).release);
    }
    await rollbackSkills(store, { signal, to: releases[2], signIndex });
    for (const [key, object] of memory.objects) memory.objects.set(key, { ...object, uploadedAt: -1e9 });
    expect((await pruneSkills(store, { signal })).removed.length).toBeGreaterThan(0);
    expect([...calls].toSorted()).toEqual(['delete', 'get', 'getSkill', 'list', 'listSkills', 'put', 'readResource']);
    expect(without).toEqual([]);
  });
});

describe('SRC-9: two publishers at once', () => {
  for (const conditional of [true, false]) {
    it(`never mix, in a store that is ${conditional ? '' : 'not '}conditional`, async () => {
      const store = new MemoryStore({ conditional });
      await publishSkillsToStorage(store, generation(1));
      const [second, third] = await Promise.all([
        publishSkillsToStorage(store, generation(2)),
        publishSkillsToStorage(store, generation(3)),
      ]);
      const seen = await generationsSeen(reader(store));
      expect([[2], [3]]).toContainEqual(seen);
      const pointer = JSON.parse(new TextDecoder().decode(store.objects.get('current.json')?.bytes)) as {
        release: string;
        previous: string[];
      };
      expect(pointer.release).toBe((seen[0] === 2 ? second : third).release);
      // Where the store can compare, the one that came first is there to go back to.
      if (conditional) expect(pointer.previous[0]).toBe((seen[0] === 2 ? third : second).release);
    });
  }

  it('gives up where the pointer never stands still', async () => {
    const store = new MemoryStore();
    let count = 0;
    store.before = (call, key) => {
      if (call === 'put' && key === 'current.json') {
        const pointer = { form: 1, release: (count += 1).toString(16).padStart(64, '0'), previous: [] };
        store.objects.set('current.json', { bytes: new TextEncoder().encode(JSON.stringify(pointer)), uploadedAt: 0 });
      }
    };
    await expect(publishSkillsToStorage(store, generation(1))).rejects.toMatchObject({
      code: 'source-unavailable',
      message: expect.stringContaining('current.json'),
    });
  });
});

describe('SRC-9: what is not published', () => {
  const telling = (listing: Partial<SkillListing>): SkillProvider => {
    const whole = generation(1);
    return { ...whole, listSkills: async (options) => ({ ...(await whole.listSkills(options)), ...listing }) };
  };
  const outage = telling({
    complete: false,
    diagnostics: [{ code: 'source-failed', severity: 'error', message: 'The source "web" is down.' }],
  });
  const faulty = telling({
    diagnostics: [{ code: 'yaml-invalid', severity: 'error', message: 'It is no YAML.', path: '/skills/gamma/SKILL.md' }],
  });

  it('is a part of a composition whose other part is down, not even where one is lenient', async () => {
    for (const lenient of [false, true]) {
      const store = new MemoryStore();
      await expect(publishSkillsToStorage(store, outage, { lenient })).rejects.toMatchObject({
        code: 'source-unavailable',
        message: expect.stringContaining('"web" is down'),
      });
      expect(store.objects.size).toBe(0);
    }
    const store = new MemoryStore();
    expect(await publishSkillsToStorage(store, outage, { allowIncomplete: true })).toMatchObject({
      skills: 2,
      diagnostics: [{ code: 'source-failed' }],
    });
  });

  it('is whatever a source did not list, whether it says why or not', async () => {
    const silent = telling({ complete: false });
    await expect(publishSkillsToStorage(new MemoryStore(), silent)).rejects.toMatchObject({
      code: 'source-unavailable',
      message: expect.stringContaining('`allowIncomplete`'),
    });
  });

  it('is anything with an option that does not exist, or to what is no store', async () => {
    const call = publishSkillsToStorage(new MemoryStore(), generation(1), { allowPartial: true } as never);
    await expect(call).rejects.toMatchObject({ code: 'invalid-options' });
    const bucket = { get: () => null, put: () => null, list: () => null, delete: () => null };
    await expect(publishSkillsToStorage(bucket as never, generation(1))).rejects.toThrow(/r2SkillStore/);
  });

  it('is a library with faults, unless one is lenient', async () => {
    const store = new MemoryStore();
    await expect(publishSkillsToStorage(store, faulty)).rejects.toMatchObject({
      code: 'invalid-skill',
      message: expect.stringContaining('/skills/gamma/SKILL.md: It is no YAML.'),
    });
    expect(store.objects.size).toBe(0);
    expect(await publishSkillsToStorage(store, faulty, { lenient: true })).toMatchObject({
      skills: 2,
      diagnostics: [{ code: 'yaml-invalid' }],
    });
  });

  it('is a skill that cannot be read: all or nothing, or without it where one is lenient', async () => {
    const whole = generation(1);
    const torn: SkillProvider = {
      ...whole,
      readResource: (name, ...rest) => (name === 'beta' ? Promise.resolve(null) : whole.readResource(name, ...rest)),
    };
    const store = new MemoryStore();
    await expect(publishSkillsToStorage(store, torn)).rejects.toMatchObject({ code: 'resource-not-found', skill: 'beta' });
    expect(store.objects.has('current.json')).toBe(false);
    const { skills, diagnostics } = await publishSkillsToStorage(store, torn, { lenient: true });
    expect(skills).toBe(1);
    expect(diagnostics).toMatchObject([{ code: 'skill-not-published', severity: 'error', skill: 'beta' }]);
    // What is wrong with the store is never what is wrong with a skill.
    store.before = (call) => {
      if (call === 'put') throw new Error('full');
    };
    await expect(publishSkillsToStorage(store, generation(2), { lenient: true })).rejects.toMatchObject({ code: 'source-unavailable' });
  });
});

describe('SRC-9: sources that break', () => {
  const whole = generation(1);

  it('are an error where they do not answer for a skill, also where one is lenient: it would be lost', async () => {
    for (const code of ['source-unavailable', 'timeout'] as const) {
      const away: SkillProvider = {
        ...whole,
        getSkill: (name, options) =>
          name === 'beta' ? Promise.reject(new SkillError(code, 'It is away.')) : whole.getSkill(name, options),
      };
      const store = new MemoryStore();
      await publishSkillsToStorage(store, whole);
      await expect(publishSkillsToStorage(store, away, { lenient: true })).rejects.toMatchObject({ code, skill: 'beta' });
      expect((await reader(store).listSkills()).skills).toHaveLength(2);
    }
  });

  it.each([
    [
      'a path that leaves the skill',
      { resources: [{ path: '../x', kind: 'other', mediaType: 'text/plain' }] },
      /"\.\.\/x", which is no path/,
    ],
    ['a file twice', { resources: ['a', 'a'].map((path) => ({ path, kind: 'other', mediaType: 'text/plain' })) }, /the file "a" twice/],
    ['a field of another shape', { tools: 'one' }, /has tools of another shape/],
    ['no description', { description: ' ' }, /no description/],
  ] as const)('are refused where they give %s', async (_, more, message) => {
    const odd: SkillProvider = {
      ...whole,
      getSkill: async (name, options) => {
        const skill = await whole.getSkill(name, options);
        return skill && name === 'beta' ? ({ ...skill, ...more } as unknown as typeof skill) : skill;
      },
      readResource: (name, path, options) =>
        path.includes('/') && !path.startsWith('..')
          ? whole.readResource(name, path, options)
          : Promise.resolve({ path, bytes: new Uint8Array(1), size: 1, mediaType: 'text/plain' }),
    };
    const store = new MemoryStore();
    await expect(publishSkillsToStorage(store, odd)).rejects.toMatchObject({
      code: 'invalid-skill',
      skill: 'beta',
      message: expect.stringMatching(message),
    });
    expect((await publishSkillsToStorage(store, odd, { lenient: true })).skills).toBe(1);
  });
});
