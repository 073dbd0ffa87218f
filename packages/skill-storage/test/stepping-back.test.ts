import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishSkillsToStorage, r2SkillStore, storageSkillProvider } from '../src/index.ts';
import { generation, generationsSeen } from './support/libraries.ts';
import { MemoryStore } from './support/memory-store.ts';
import { workersRuntime } from './support/workers-runtime.ts';

describe('SRC-9: a skill whose newest contents are not visible yet', () => {
  it('serves from the first release before that has it whole, also where one in between is damaged', async () => {
    const store = new MemoryStore();
    const documents: string[] = [];
    for (const number of [1, 2, 3]) {
      const { release } = await publishSkillsToStorage(store, generation(number, ['alpha']));
      const { skills } = JSON.parse(new TextDecoder().decode(store.objects.get(`releases/${release}.json`)?.bytes)) as {
        skills: { document: { digest: string } }[];
      };
      documents.push(`files/${skills[0]?.document.digest}`);
    }
    store.objects.delete(documents[2] ?? '');
    store.tamper(documents[1] ?? '', (bytes) => bytes.slice(1));
    const provider = storageSkillProvider({ store });
    const skill = await provider.getSkill('alpha');
    expect(skill?.body).toContain('generation 1');
    expect(skill?.diagnostics.map(({ code }) => code)).toEqual(['release-incomplete']);
  });
});

describe('SRC-9: publishers of one R2 bucket', () => {
  let runtime: Miniflare;
  beforeAll(async () => {
    runtime = await workersRuntime();
  });
  afterAll(() => runtime.dispose());

  it('take turns, also for the first release', async () => {
    const store = r2SkillStore(await runtime.getR2Bucket('BUCKET'));
    expect(await store.put('turns/a', new Uint8Array([1]), { ifMatch: null })).toBe(true);
    expect(await store.put('turns/a', new Uint8Array([2]), { ifMatch: null })).toBe(false);
    expect(await store.put('turns/a', new Uint8Array([2]), { ifMatch: 'other' })).toBe(false);
    expect(await store.put('turns/none', new Uint8Array([2]), { ifMatch: 'other' })).toBe(false);
    expect((await store.get('turns/a'))?.bytes).toEqual(new Uint8Array([1]));
    const ends = await Promise.all([1, 2, 3].map((number) => publishSkillsToStorage(store, generation(number), { prefix: 'turns' })));
    const { release, previous } = JSON.parse(new TextDecoder().decode((await store.get('turns/current.json'))?.bytes)) as {
      release: string;
      previous: string[];
    };
    expect([release, ...previous].sort()).toEqual(ends.map((end) => end.release).sort());
    expect(await generationsSeen(storageSkillProvider({ store, prefix: 'turns' }))).toEqual([
      ends.findIndex((end) => end.release === release) + 1,
    ]);
  });

  it('delete more objects than one call of R2 takes', async () => {
    const store = r2SkillStore(await runtime.getR2Bucket('BUCKET'));
    const keys = Array.from({ length: 1_001 }, (_, number) => `crowd/${number}`);
    const kept = 'crowd/kept';
    for (const key of [keys[0] ?? '', keys[1_000] ?? '', kept]) await store.put(key, new Uint8Array([1]));
    await store.delete(keys);
    expect((await store.list('crowd/')).map(({ key }) => key)).toEqual([kept]);
  });

  it('are read without limits, where one wants none', async () => {
    const store = r2SkillStore(await runtime.getR2Bucket('BUCKET'));
    await publishSkillsToStorage(store, generation(1), { prefix: 'unlimited' });
    const limits = { releaseBytes: Number.POSITIVE_INFINITY, skillBytes: Number.POSITIVE_INFINITY };
    expect(await generationsSeen(storageSkillProvider({ store, prefix: 'unlimited', limits }))).toEqual([1]);
  });
});
