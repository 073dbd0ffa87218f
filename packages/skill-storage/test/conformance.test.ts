import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { skillProviderCases, type SkillLibraryFiles } from '@repertoire/skills-testkit';
import { testSkillProvider } from '@repertoire/skills-testkit/vitest';
import type { Miniflare } from 'miniflare';
import { createStorage } from 'unstorage';
import fileSystemDriver from 'unstorage/drivers/fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kvSkillStore, r2SkillStore, storageSkillProvider, unstorageSkillStore, type SkillStore } from '../src/index.ts';
import { writableStorageSkillProvider } from '../src/write.ts';
import { MemoryStore } from './support/memory-store.ts';
import { publishLibrary } from './support/publish-library.ts';
import { publishOnDemand } from './support/publish-on-demand.ts';
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

for (const [name, tried, open] of [
  // Every case that reads is tried over R2 inside of the runtime (e2e/skill-storage.test.ts).
  ['R2', /^write\//, async () => r2SkillStore(await runtime.getR2Bucket('BUCKET'))],
  ['KV', /./, async () => kvSkillStore(await runtime.getKVNamespace('NAMESPACE'))],
] as const) {
  /** Where each library was published, and what holds it. */
  const published = new Map<SkillLibraryFiles, { readonly prefix: string; readonly store: SkillStore }>();
  const cases = skillProviderCases({
    name: `skill-storage over ${name}`,
    abilities,
    trusted: false,
    create: async (files) => {
      let library = published.get(files);
      if (library === undefined) {
        const prefix = `case-${(libraries += 1)}`;
        library = { prefix, store: await publishOnDemand(await open(), files, prefix) };
        published.set(files, library);
      }
      const { prefix, store } = library;
      // What a case writes is seen by no other.
      const own = (): void => void (published.get(files) === library && published.delete(files));
      const written: SkillStore = {
        ...store,
        put: (...given) => (own(), store.put(...given)),
        delete: (...given) => (own(), store.delete(...given)),
      };
      return { provider: writableStorageSkillProvider({ store: written, prefix, onlyWriter: !store.conditional }) };
    },
  });
  describe(`skill-storage over ${name}: the contract of skill sources`, () => {
    it.each(cases.filter(({ id }) => tried.test(id)).map(({ title, run }) => [title, run] as const))('%s', async (_title, run) => {
      await expect(run()).resolves.toBeUndefined();
    });
  });
}
