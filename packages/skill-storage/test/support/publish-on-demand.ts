import type { SkillLibraryFiles } from '@repertoire/skills-testkit';
import { everydayLibrary } from '../../../skills-testkit/src/fixtures/everyday-library.ts';
import type { SkillStore } from '../../src/index.ts';
import { MemoryStore } from './memory-store.ts';
import { publishLibrary } from './publish-library.ts';

/**
 * A store with a library in it. The everyday library is published to the store itself. Every other one is published in memory, and its objects are
 * put into the store when something first asks for them: each call of a runtime takes a while, and most cases read few of what is published.
 */
export async function publishOnDemand(store: SkillStore, files: SkillLibraryFiles, prefix: string): Promise<SkillStore> {
  const memory = new MemoryStore({ conditional: store.conditional });
  await publishLibrary(files === everydayLibrary ? store : memory, files, prefix);
  const putting = new Map<string, Promise<unknown>>();
  const have = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      const object = memory.objects.get(key);
      if (object !== undefined && !putting.has(key)) putting.set(key, store.put(key, object.bytes));
    }
    await Promise.all(keys.flatMap((key) => putting.get(key) ?? []));
  };
  return {
    label: store.label,
    conditional: store.conditional,
    get: async (key, options) => (await have(key), await store.get(key, options)),
    put: async (key, ...given) => (await have(key), await store.put(key, ...given)),
    list: async (...given) => (await have(...memory.objects.keys()), await store.list(...given)),
    delete: async (keys, options) => (await have(...keys), await store.delete(keys, options)),
  };
}
