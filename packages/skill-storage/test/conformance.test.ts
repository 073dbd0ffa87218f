import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { skillProviderCases, type SkillLibraryFiles } from '@repertoire/skills-testkit';
import { testSkillProvider } from '@repertoire/skills-testkit/vitest';
import type { Miniflare } from 'miniflare';
import { createStorage } from 'unstorage';
import fileSystemDriver from 'unstorage/drivers/fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isTried } from '../../../test/support/property-runs.ts';
import { kvSkillStore, r2SkillStore, storageSkillProvider, unstorageSkillStore, type SkillStore } from '../src/index.ts';
import { writableStorageSkillProvider } from '../src/write.ts';
import { MemoryStore } from './support/memory-store.ts';
import { publishLibrary } from './support/publish-library.ts';
import { workersRuntime } from './support/workers-runtime.ts';

const reading = ['dispose', 'versions', 'raw'] as const;
const abilities = [...reading, 'write'] as const;

testSkillProvider({
  name: 'skill-storage',
  abilities,
  trusted: false,
  create: async (files) => {
    const store = new MemoryStore();
    await publishLibrary(store, files);
    return { provider: writableStorageSkillProvider({ store }) };
  },
  failing: async () => {
    const store = new MemoryStore();
    store.before = () => Promise.reject(new Error('the store is away'));
    return { provider: storageSkillProvider({ store }) };
  },
  stalled: async (files) => {
    const store = new MemoryStore();
    await publishLibrary(store, files);
    store.before = () => new Promise(() => {});
    return { provider: writableStorageSkillProvider({ store, onlyWriter: true }) };
  },
});

testSkillProvider({
  name: 'skill-storage that asks at each call',
  abilities: reading,
  trusted: true,
  create: async (files) => {
    const store = new MemoryStore({ conditional: false });
    await publishLibrary(store, files);
    return { provider: storageSkillProvider({ store, trusted: true, label: 'team', staleAfterMs: 0, limits: { memoryBytes: 1 } }) };
  },
  failing: async () => ({ provider: storageSkillProvider({ store: new MemoryStore() }) }),
});

testSkillProvider({
  name: 'skill-storage over unstorage in memory',
  abilities,
  trusted: false,
  create: async (files) => {
    const store = unstorageSkillStore(createStorage());
    await publishLibrary(store, files);
    return { provider: writableStorageSkillProvider({ store, onlyWriter: true }) };
  },
});

testSkillProvider({
  name: 'skill-storage over unstorage in a folder',
  abilities,
  trusted: false,
  create: async (files) => {
    const base = await mkdtemp(path.join(tmpdir(), 'skill-storage-'));
    const store = unstorageSkillStore(createStorage({ driver: fileSystemDriver({ base }) }));
    await publishLibrary(store, files);
    return { provider: writableStorageSkillProvider({ store, onlyWriter: true }), dispose: () => rm(base, { recursive: true }) };
  },
});

let libraries = 0;
let runtime: Miniflare;
beforeAll(async () => {
  runtime = await workersRuntime();
});
afterAll(() => runtime.dispose());

/** These make hundreds of calls of the runtime: each is tried over one of its stores, and over both by `pnpm fuzz --properties 1`. */
const dear = ['list/stable', 'concurrency/same-answers'];

for (const [index, [name, open]] of (
  [
    ['R2', async () => r2SkillStore(await runtime.getR2Bucket('BUCKET'))],
    ['KV', async () => kvSkillStore(await runtime.getKVNamespace('NAMESPACE'))],
  ] as const
).entries()) {
  /** Where each library was published: each call of the runtime takes a while, and most cases only read. */
  const published = new Map<SkillLibraryFiles, string>();
  const cases = skillProviderCases({
    name: `skill-storage over ${name}`,
    abilities,
    trusted: false,
    create: async (files) => {
      const store = await open();
      const prefix = published.get(files) ?? `case-${(libraries += 1)}`;
      if (!published.has(files)) await publishLibrary(store, files, prefix);
      published.set(files, prefix);
      // What a case writes is seen by no other.
      const own = (): void => void (published.get(files) === prefix && published.delete(files));
      const written: SkillStore = {
        label: store.label,
        conditional: store.conditional,
        get: (...given) => store.get(...given),
        list: (...given) => store.list(...given),
        put: (...given) => (own(), store.put(...given)),
        delete: (...given) => (own(), store.delete(...given)),
      };
      return { provider: writableStorageSkillProvider({ store: written, prefix, onlyWriter: !store.conditional }) };
    },
  });
  const tried = cases.filter(({ id }) => !dear.includes(id) || isTried({ last: index, size: 2 }, dear.indexOf(id)));
  describe(`skill-storage over ${name}: the contract of skill sources`, () => {
    it.each(tried.map(({ title, run }) => [title, run] as const))('%s', async (_title, run) => {
      await expect(run()).resolves.toBeUndefined();
    });
  });
}
