import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { pruneSkills, publishSkillsToStorage, rollbackSkills, storageSkillProvider } from '../src/index.ts';
import { generation } from './support/libraries.ts';
import { MemoryStore } from './support/memory-store.ts';

/** Stands for whatever makes an index: the names that it was given. */
const namesOf = async (provider: SkillProvider): Promise<Uint8Array> =>
  new TextEncoder().encode((await provider.listSkills()).skills.map(({ name, description }) => `${name}: ${description}`).join('\n'));
const text = (bytes: Uint8Array | null): string | null => (bytes === null ? null : new TextDecoder().decode(bytes));

async function publishedWith(generations: readonly number[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (const number of generations) await publishSkillsToStorage(store, generation(number), { searchIndex: namesOf });
  return store;
}

describe('DIS-14, SRC-9: a search index that is published with the skills', () => {
  it('is there for readers, of the release that serves', async () => {
    const store = await publishedWith([1, 2]);
    const provider = storageSkillProvider({ store, staleAfterMs: 0 });
    expect(text(await provider.searchIndex())).toContain('generation 2');
    await rollbackSkills(store, {});
    expect(text(await provider.searchIndex())).toContain('generation 1');
    const without = new MemoryStore();
    await publishSkillsToStorage(without, generation(1));
    expect(await storageSkillProvider({ store: without }).searchIndex()).toBeNull();
  });

  it('is made of the skills that are published, and of no other', async () => {
    const store = new MemoryStore();
    const good = fixedSkillProvider([{ name: 'good', description: 'Good.', body: 'x' }]);
    const listing = await good.listSkills();
    const bad: SkillProvider = {
      ...good,
      listSkills: async () => ({ ...listing, skills: [...listing.skills, { name: 'bad', version: null, description: 'Bad.' }] }),
      getSkill: async (name, options) => {
        if (name === 'bad') throw new SkillError('invalid-skill', 'It cannot be used.');
        return await good.getSkill(name, options);
      },
    };
    await publishSkillsToStorage(store, bad, { lenient: true, searchIndex: namesOf });
    expect(text(await storageSkillProvider({ store }).searchIndex())).toBe('good: Good.');
  });

  it('makes no other release of the same skills, and is not uploaded again', async () => {
    const store = await publishedWith([1]);
    const again = await publishSkillsToStorage(store, generation(1), { searchIndex: namesOf });
    expect(again).toMatchObject({ changed: false, uploads: [] });
    expect((await publishSkillsToStorage(store, generation(1))).changed).toBe(true);
  });

  it('is not removed as long as a release needs it, and then it is', async () => {
    const store = await publishedWith([1]);
    const bytes = await storageSkillProvider({ store }).searchIndex();
    const key = `files/${await sha256Hex(bytes ?? '')}`;
    store.time = Number.MAX_SAFE_INTEGER;
    await pruneSkills(store, { now: () => Number.MAX_SAFE_INTEGER });
    expect(store.objects.has(key)).toBe(true);
    await publishSkillsToStorage(store, generation(2), { keep: 2 });
    await publishSkillsToStorage(store, generation(3), { keep: 2 });
    store.objects.forEach((object, name) => store.objects.set(name, { ...object, uploadedAt: 0 }));
    await pruneSkills(store, { now: () => Number.MAX_SAFE_INTEGER });
    expect(store.objects.has(key)).toBe(false);
  });

  it('is refused with other bytes than were published, and beyond the limit', async () => {
    const store = await publishedWith([1]);
    const key = `files/${await sha256Hex((await storageSkillProvider({ store }).searchIndex()) ?? '')}`;
    await expect(storageSkillProvider({ store, limits: { searchIndexBytes: 3 } }).searchIndex()).rejects.toMatchObject({
      code: 'limit-exceeded',
    });
    store.tamper(key, (bytes) => bytes.map((byte) => byte ^ 1));
    await expect(storageSkillProvider({ store }).searchIndex()).rejects.toMatchObject({ code: 'digest-mismatch' });
    store.objects.delete(key);
    expect(await storageSkillProvider({ store }).searchIndex()).toBeNull();
  });

  it('that cannot be made leaves what was there', async () => {
    const store = await publishedWith([1]);
    const before = new Map(store.objects);
    const failing = { searchIndex: async () => await Promise.reject(new Error('no words')) };
    await expect(publishSkillsToStorage(store, generation(2), failing)).rejects.toThrow('no words');
    expect(store.objects.get('current.json')).toEqual(before.get('current.json'));
  });
});
