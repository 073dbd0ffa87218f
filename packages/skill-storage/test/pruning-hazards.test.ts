import { describe, expect, it } from 'vitest';
import { pruneSkills, publishSkillsToStorage, rollbackSkills, storageSkillProvider } from '../src/index.ts';
import { generation, generationsSeen } from './support/libraries.ts';
import { MemoryStore } from './support/memory-store.ts';

const reader = (store: MemoryStore, prefix = '') => storageSkillProvider({ store, prefix, staleAfterMs: 0 });
const later = () => 1e12;

/** Runs something once, before the first call of a kind. */
function once(store: MemoryStore, isTheCall: (call: string, key: string) => boolean, work: () => Promise<unknown>): void {
  store.before = async (call, key) => {
    if (!isTheCall(call, key)) return;
    store.before = () => {};
    await work();
  };
}

describe('SRC-9: pruning', () => {
  it('removes nothing that was not published there: neither what others keep in a folder of that name, nor another prefix inside', async () => {
    const store = new MemoryStore();
    await publishSkillsToStorage(store, generation(1));
    for (const prefix of ['files', 'releases', 'files/team']) await publishSkillsToStorage(store, generation(2), { prefix });
    for (const key of ['files/holiday.jpg', 'releases/1.0.0.json', `files/${'0'.repeat(64)}.txt`, `files/${'0'.repeat(64)}/part`])
      await store.put(key, new Uint8Array([1]));
    const before = new Map(store.objects);
    expect(await pruneSkills(store, { now: later })).toMatchObject({ removed: [], bytes: 0 });
    expect(new Map(store.objects)).toEqual(before);
    for (const prefix of ['files', 'releases', 'files/team']) expect(await generationsSeen(reader(store, prefix))).toEqual([2]);
  });

  it('removes nothing where somebody publishes while it looks, since the new release may need old files again', async () => {
    const store = new MemoryStore();
    for (const number of [1, 2, 3]) await publishSkillsToStorage(store, generation(number), { keep: 2 });
    const before = new Set(store.objects.keys());
    // Generation 1 is not kept, and comes back as a whole after the pruner read the pointer.
    once(
      store,
      (call, key) => call === 'get' && key.startsWith('files/'),
      () => publishSkillsToStorage(store, generation(1), { keep: 2 }),
    );
    await expect(pruneSkills(store, { now: later })).rejects.toMatchObject({
      code: 'source-unavailable',
      message: expect.stringMatching(/published.*meanwhile; nothing was removed/),
    });
    expect(new Set(store.objects.keys())).toEqual(before);
    expect(await generationsSeen(reader(store))).toEqual([1]);
    await pruneSkills(store, { now: later });
    expect(await generationsSeen(reader(store))).toEqual([1]);
  });

  it('goes on where somebody only goes back meanwhile', async () => {
    const store = new MemoryStore();
    for (const number of [1, 2, 3]) await publishSkillsToStorage(store, generation(number), { keep: 2 });
    once(
      store,
      (call, key) => call === 'get' && key.startsWith('files/'),
      () => rollbackSkills(store),
    );
    expect((await pruneSkills(store, { now: later })).removed).toHaveLength(7);
    expect(await generationsSeen(reader(store))).toEqual([2]);
  });

  it('tells a publisher that counts on a release which is removed just then to publish again', async () => {
    const store = new MemoryStore();
    for (const number of [1, 2, 3]) await publishSkillsToStorage(store, generation(number), { keep: 2 });
    const { release } = await publishSkillsToStorage(store, generation(1), { dryRun: true });
    once(
      store,
      (call, key) => call === 'list' && key === 'files/' && store.log.includes('list releases/'),
      () => store.delete([`releases/${release}.json`]),
    );
    store.asked();
    await publishSkillsToStorage(store, generation(1), { keep: 2 }).catch(() => undefined);
    // Whichever way it ended: the pointer leads to what is there.
    expect(await generationsSeen(storageSkillProvider({ store }))).toEqual([store.objects.has(`releases/${release}.json`) ? 1 : 3]);
    const pointer = JSON.parse(new TextDecoder().decode(store.objects.get('current.json')?.bytes)) as { release: string };
    expect(store.objects.has(`releases/${pointer.release}.json`)).toBe(true);
  });
});

describe('SRC-9: how many releases are kept', () => {
  it('is what the last run says, also where the skills are the same', async () => {
    const store = new MemoryStore();
    const ids: string[] = [];
    for (let number = 1; number <= 5; number += 1)
      ids.unshift((await publishSkillsToStorage(store, generation(number), { keep: 10 })).release);
    expect(await publishSkillsToStorage(store, generation(5), { keep: 2 })).toMatchObject({
      release: ids[0],
      replaced: ids[0],
      changed: false,
      uploads: [],
    });
    expect((await pruneSkills(store, { now: later })).kept).toEqual(ids.slice(0, 2));
    expect(await generationsSeen(reader(store))).toEqual([5]);
  });
});
