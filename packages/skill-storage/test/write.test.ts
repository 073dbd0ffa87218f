import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SkillError, SkillRegistry } from '@repertoire/skills-core';
import { digestOfSkill, skillDigest } from '@repertoire/skills-core/provider';
import { createStorage } from 'unstorage';
import fileSystemDriver from 'unstorage/drivers/fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  publishSkillsToStorage,
  pruneSkills,
  rollbackSkills,
  storageSkillProvider,
  unstorageSkillStore,
  type SkillStore,
} from '../src/index.ts';
import { writableStorageSkillProvider } from '../src/write.ts';
import { generation } from './support/libraries.ts';
import { MemoryStore } from './support/memory-store.ts';

const filesOf = (name: string, body: string): Record<string, Uint8Array> => {
  const skillMd = `---\nname: ${name}\ndescription: Does ${name}. Use for ${name}.\n---\n\n${body}\n`;
  return { 'SKILL.md': new TextEncoder().encode(skillMd), 'references/of.md': new TextEncoder().encode(body) };
};
/** The digest over the bytes that a fresh reader is served: a mix of two contents has another one. */
const served = async (store: SkillStore, name: string): Promise<string | null> =>
  (await digestOfSkill(storageSkillProvider({ store }), name))?.digest ?? null;

interface Case {
  readonly store: SkillStore;
  /** Makes the store fail from the given write on; `Infinity`: never. */
  cut(after: number): void;
}

async function folderStore(): Promise<Case> {
  const base = await mkdtemp(path.join(tmpdir(), 'skill-storage-write-'));
  onTestFinished(() => rm(base, { recursive: true }));
  const storage = createStorage({ driver: fileSystemDriver({ base }) });
  let left = Number.POSITIVE_INFINITY;
  const setItemRaw = async (key: string, value: Uint8Array): Promise<void> => {
    if ((left -= 1) < 0) throw new Error('killed');
    await storage.setItemRaw(key, value);
  };
  const store = unstorageSkillStore({ ...storage, setItemRaw });
  return { store, cut: (after) => (left = after) };
}

async function memoryStore(): Promise<Case> {
  const store = new MemoryStore();
  let left = Number.POSITIVE_INFINITY;
  store.before = (call) => {
    if (call === 'put' && (left -= 1) < 0) throw new Error('killed');
  };
  return { store, cut: (after) => (left = after) };
}

describe('PRP-7: writing one skill of a store', () => {
  it.each([
    ['in memory', memoryStore],
    ['in a folder', folderStore],
  ])('%s: cut short at any step, readers have the old or the new skill, and the same call ends the work', async (_where, open) => {
    for (const what of ['replace', 'remove', 'add'] as const) {
      const seen = new Set<string | null>();
      for (let after = 0; ; after += 1) {
        const { store, cut } = await open();
        await publishSkillsToStorage(store, generation(1));
        const name = what === 'add' ? 'gamma' : 'alpha';
        const files = what === 'remove' ? null : filesOf(name, 'New.');
        const [old, wanted] = [await served(store, name), files === null ? null : await skillDigest(files)];
        const beta = await served(store, 'beta');
        const write = () => writableStorageSkillProvider({ store, onlyWriter: true }).write(name, files, { expected: old });
        cut(after);
        const result = await write().catch((error: unknown) => error);
        cut(Number.POSITIVE_INFINITY);
        const now = await served(store, name);
        seen.add(now);
        expect([old, wanted]).toContain(now);
        expect(await served(store, 'beta')).toBe(beta);
        if (!SkillError.isInstance(result)) {
          expect(result).toEqual({ written: true, content: wanted });
          expect(now).toBe(wanted);
          expect(after).toBeGreaterThan(what === 'remove' ? 1 : 4);
          break;
        }
        expect(result.code).toBe('source-unavailable');
        expect(await write()).toEqual({ written: true, content: wanted });
        expect(await served(store, name)).toBe(wanted);
      }
      expect(seen.size).toBe(2);
    }
  });

  it('of writers in two processes, one writes; a write of another skill meanwhile is kept', async () => {
    const store = new MemoryStore();
    await publishSkillsToStorage(store, generation(1));
    const [alpha, beta] = [await served(store, 'alpha'), await served(store, 'beta')];
    const write = (name: string, body: string, expected: string | null) =>
      writableStorageSkillProvider({ store }).write(name, filesOf(name, body), { expected });
    const results = await Promise.all([
      write('alpha', 'A.', alpha),
      write('alpha', 'B.', alpha),
      write('beta', 'C.', beta),
      write('gamma', 'D.', null),
    ]);
    expect(results.map(({ written }) => written)).toEqual([expect.any(Boolean), expect.any(Boolean), true, true]);
    expect(results.filter(({ written }) => written)).toHaveLength(3);
    for (const name of ['alpha', 'beta', 'gamma']) expect(results.map(({ content }) => content)).toContain(await served(store, name));
    const winner = results.slice(0, 2).find(({ written }) => written)?.content;
    expect(results.slice(0, 2).map(({ content }) => content)).toEqual([winner, winner]);
    expect(await served(store, 'alpha')).toBe(winner);
  });

  it('is a release like any other: it rolls back, survives pruning, and keeps what an agent holds', async () => {
    const store = new MemoryStore();
    await publishSkillsToStorage(store, generation(1));
    const held = await served(store, 'alpha');
    const provider = writableStorageSkillProvider({ store });
    // What was read before is not served after the write, however fresh it is.
    await provider.listSkills();
    await provider.write('alpha', filesOf('alpha', 'New.'), { expected: held });
    expect((await provider.getSkill('alpha'))?.body).toBe('New.');
    store.time = Number.MAX_SAFE_INTEGER;
    await pruneSkills(store, { now: () => Number.MAX_SAFE_INTEGER });
    const reader = storageSkillProvider({ store });
    expect((await reader.getSkill('alpha'))?.body).toBe('New.');
    expect((await reader.getSkill('alpha', { content: held ?? '' }))?.body).toBe('Body of alpha, generation 1.');
    await rollbackSkills(store);
    expect(await served(store, 'alpha')).toBe(held);
  });

  it('a reader whose check began before the write does not go back behind it', async () => {
    const store = new MemoryStore();
    await publishSkillsToStorage(store, generation(1));
    const provider = writableStorageSkillProvider({ store });
    const old = await served(store, 'alpha');
    const gate = Promise.withResolvers<void>();
    const get = store.get.bind(store);
    let isHeld = false;
    store.get = async (...given) => {
      const answer = await get(...given);
      if (!isHeld) {
        isHeld = true;
        await gate.promise;
      }
      return answer;
    };
    const slow = provider.listSkills();
    await provider.write('alpha', filesOf('alpha', 'New.'), { expected: old });
    gate.resolve();
    await slow;
    expect((await provider.getSkill('alpha'))?.body).toBe('New.');
  });

  it('refuses what would lose or hide something, and says what to do', async () => {
    const store = new MemoryStore();
    const write = (name: string, given = {}) =>
      writableStorageSkillProvider({ store, ...given }).write(name, filesOf(name, 'New.'), { expected: null });
    await expect(write('alpha')).rejects.toMatchObject({ code: 'source-unavailable', message: expect.stringContaining('Publish') });
    const versions = ['1.0.0', '2.0.0'].map((version) => ({ name: 'many', description: 'Many.', version, body: 'x' }));
    await publishSkillsToStorage(store, new SkillRegistry({ skills: versions }));
    await expect(write('many')).rejects.toMatchObject({ code: 'unsupported' });
    await expect(write('alpha', { limits: { skills: 2 } })).rejects.toMatchObject({ code: 'limit-exceeded' });
    await expect(write('alpha', { limits: { resourceBytes: 3 } })).rejects.toMatchObject({ code: 'limit-exceeded' });
    await expect(write('Alpha')).rejects.toMatchObject({ code: 'invalid-skill' });
    await expect(writableStorageSkillProvider({ store }).write('other', filesOf('alpha', 'x'), { expected: null })).rejects.toMatchObject({
      code: 'invalid-skill',
    });
    // What an older release does not have would be lost.
    const { release } = JSON.parse(new TextDecoder().decode(store.objects.get('current.json')?.bytes)) as { release: string };
    store.objects.delete(`releases/${release}.json`);
    await expect(write('alpha')).rejects.toMatchObject({ code: 'source-unavailable' });
  });

  it('a store without conditional writes needs the word of the host, and a verified one a signer', () => {
    const plain = new MemoryStore({ conditional: false });
    expect(() => writableStorageSkillProvider({ store: plain })).toThrow(/onlyWriter: true/);
    const verifyIndex = async () => ({ validUntil: 0 });
    expect(() => writableStorageSkillProvider({ store: new MemoryStore(), verifyIndex })).toThrow(/signIndex/);
    expect(() => writableStorageSkillProvider({ store: new MemoryStore(), onlyWriters: true } as never)).toThrow(/onlyWriter/);
  });

  it('signs the release before readers are led there', async () => {
    const store = new MemoryStore();
    const signIndex = async ({ digest }: { readonly digest: string }) => new TextEncoder().encode(`signed ${digest}`);
    const verifyIndex = async ({ digest, signature }: { readonly digest: string; readonly signature: Uint8Array | null }) => {
      if (new TextDecoder().decode(signature ?? new Uint8Array()) !== `signed ${digest}`) throw new SkillError('signature-refused', 'No.');
      return { validUntil: Number.POSITIVE_INFINITY };
    };
    await publishSkillsToStorage(store, generation(1), { signIndex });
    const provider = writableStorageSkillProvider({ store, signIndex, verifyIndex });
    expect((await provider.write('gamma', filesOf('gamma', 'New.'), { expected: null })).written).toBe(true);
    expect((await storageSkillProvider({ store, verifyIndex }).getSkill('gamma'))?.body).toBe('New.');
  });
});
