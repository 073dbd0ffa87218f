import { describe, expect, it } from 'vitest';
import { pruneSkills, publishSkillsToStorage, rollbackSkills, storageSkillProvider } from '../src/index.ts';
import { generation, generationsSeen } from './support/libraries.ts';
import { MemoryStore } from './support/memory-store.ts';

const reader = (store: MemoryStore) => storageSkillProvider({ store, staleAfterMs: 0 });

describe('SRC-9: going back, and cleaning up', () => {
  it('goes back and forth between releases', async () => {
    const store = new MemoryStore();
    const [first, second] = [await publishSkillsToStorage(store, generation(1)), await publishSkillsToStorage(store, generation(2))];
    expect(await rollbackSkills(store)).toEqual({ release: first.release, replaced: second.release });
    expect(await generationsSeen(reader(store))).toEqual([1]);
    expect(await rollbackSkills(store, { to: second.release.slice(0, 8) })).toEqual({ release: second.release, replaced: first.release });
    expect(await generationsSeen(reader(store))).toEqual([2]);
    await expect(rollbackSkills(store, { to: 'no' })).rejects.toMatchObject({
      code: 'invalid-options',
      message: expect.stringContaining(first.release),
    });
    await expect(rollbackSkills(new MemoryStore())).rejects.toMatchObject({ code: 'invalid-options' });
  });

  it('leads nobody to a release that is gone, nor over the head of another publisher', async () => {
    const store = new MemoryStore();
    const first = await publishSkillsToStorage(store, generation(1));
    await publishSkillsToStorage(store, generation(2));
    const kept = store.objects.get(`releases/${first.release}.json`);
    store.objects.delete(`releases/${first.release}.json`);
    await expect(rollbackSkills(store)).rejects.toMatchObject({ code: 'source-unavailable' });
    store.objects.set(`releases/${first.release}.json`, kept!);
    let isFirst = true;
    store.before = async (call, key) => {
      if (call !== 'put' || key !== 'current.json' || !isFirst) return;
      isFirst = false;
      await publishSkillsToStorage(store, generation(3));
    };
    await expect(rollbackSkills(store)).rejects.toMatchObject({
      code: 'source-unavailable',
      message: expect.stringContaining('meanwhile'),
    });
    expect(await generationsSeen(reader(store))).toEqual([3]);
  });

  it('names as many releases as are to be kept', async () => {
    const store = new MemoryStore();
    const ids: string[] = [];
    for (let number = 1; number <= 5; number += 1)
      ids.unshift((await publishSkillsToStorage(store, generation(number), { keep: 3 })).release);
    const { previous } = JSON.parse(new TextDecoder().decode(store.objects.get('current.json')?.bytes)) as { previous: string[] };
    expect(previous).toEqual(ids.slice(1, 3));
    await expect(publishSkillsToStorage(store, generation(1), { keep: 1 })).rejects.toMatchObject({ code: 'invalid-options' });
  });

  it('removes releases that are not kept and what only they needed, and nothing else', async () => {
    const store = new MemoryStore();
    const ids: string[] = [];
    for (let number = 1; number <= 4; number += 1) {
      store.time = number * 1_000;
      ids.unshift((await publishSkillsToStorage(store, generation(number), { keep: 2 })).release);
    }
    const now = () => 3_601_000 + 3_000;
    const { size } = store.objects;
    const dry = await pruneSkills(store, { now, dryRun: true });
    expect(store.objects.size).toBe(size);
    store.asked();
    const pruned = await pruneSkills(store, { now });
    expect(pruned).toEqual(dry);
    expect(pruned.kept).toEqual(ids.slice(0, 2));
    expect(pruned.removed).toHaveLength(14);
    expect(pruned.removed).toEqual(expect.arrayContaining([`releases/${ids[2]}.json`, `releases/${ids[3]}.json`]));
    expect(store.objects.size).toBe(size - 14);
    expect(store.asked().some((call) => call.startsWith('put '))).toBe(false);
    expect(await generationsSeen(reader(store))).toEqual([4]);
    await rollbackSkills(store);
    expect(await generationsSeen(reader(store))).toEqual([3]);
    expect((await pruneSkills(store, { now })).removed).toEqual([]);
  });

  it('goes on without an earlier release that somebody removed, and not without one that is only not visible', async () => {
    const store = new MemoryStore();
    const first = await publishSkillsToStorage(store, generation(1));
    const second = await publishSkillsToStorage(store, generation(2));
    const key = `releases/${first.release}.json`;
    const { get } = store;
    store.get = (wanted, options) => (wanted === key ? Promise.resolve(null) : get.call(store, wanted, options));
    await expect(pruneSkills(store, { now: () => 1e12 })).rejects.toMatchObject({ code: 'source-unavailable', path: key });
    store.objects.delete(key);
    const { kept, removed } = await pruneSkills(store, { now: () => 1e12 });
    expect(kept).toEqual([second.release]);
    expect(removed).toHaveLength(6);
    expect(await generationsSeen(reader(store))).toEqual([2]);
  });

  it('leaves what is young alone, since another publisher may be about to need it', async () => {
    const store = new MemoryStore();
    await publishSkillsToStorage(store, generation(1));
    store.time = 10_000_000;
    store.before = (call, key) => {
      if (call === 'put' && key.startsWith('releases/')) throw new Error('cut short');
    };
    await expect(publishSkillsToStorage(store, generation(2))).rejects.toThrow('cut short');
    store.before = () => {};
    expect((await pruneSkills(store, { now: () => 10_000_000 + 3_599_999 })).removed).toEqual([]);
    expect((await pruneSkills(store, { now: () => 10_000_000 + 3_600_000 })).removed).toHaveLength(6);
  });

  it('removes nothing where a kept release cannot be read', async () => {
    const store = new MemoryStore();
    await publishSkillsToStorage(store, generation(1));
    const { release } = await publishSkillsToStorage(store, generation(2));
    const { size } = store.objects;
    store.tamper(`releases/${release}.json`, (bytes) => bytes.slice(1));
    await expect(pruneSkills(store, { now: () => 1e12 })).rejects.toMatchObject({ code: 'digest-mismatch' });
    expect(store.objects.size).toBe(size);
    await expect(pruneSkills(new MemoryStore())).rejects.toMatchObject({ code: 'source-unavailable' });
  });

  it('tells a publisher that counts on what was just removed to publish again', async () => {
    const store = new MemoryStore();
    await publishSkillsToStorage(store, generation(1));
    await publishSkillsToStorage(store, generation(2));
    const lost = [...store.objects.keys()].filter((key) => key.startsWith('files/')).slice(0, 1);
    let isPruned = false;
    store.before = async (call, key) => {
      // After it looked, and before it is done.
      if (call !== 'put' || !key.startsWith('files/') || isPruned) return;
      isPruned = true;
      await store.delete(lost);
    };
    const run = publishSkillsToStorage(store, generation(1, ['alpha', 'beta', 'gamma']));
    await expect(run).rejects.toMatchObject({ code: 'source-unavailable', message: expect.stringContaining('Publish again.') });
    store.before = () => {};
    expect(await generationsSeen(reader(store))).toEqual([2]);
    await publishSkillsToStorage(store, generation(1, ['alpha', 'beta', 'gamma']));
    expect(await generationsSeen(reader(store))).toEqual([1]);
  });
});
