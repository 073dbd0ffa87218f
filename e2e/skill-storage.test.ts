import { publishSkillsToStorage, r2SkillStore } from '@repertoire/skill-storage';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generation } from '../packages/skill-storage/test/support/libraries.ts';
import { bundleTestWorker } from './bundle-test-worker.ts';
import { openWorkerd } from './open-workerd.ts';

describe('SRC-9: in workerd without nodejs_compat', () => {
  let runtime: Miniflare;
  beforeAll(async () => {
    const code = await bundleTestWorker(`export { default } from './workers/skill-storage-worker.ts';`);
    runtime = openWorkerd(code);
  });
  afterAll(() => runtime.dispose());
  const get = async (path: string) => await runtime.dispatchFetch(`http://localhost${path}`);

  it('CON-4, SRC-9: holds the contract over a bucket that it published to', async () => {
    const { passed, failed } = (await (await get('/conformance')).json()) as { passed: number; failed: string[] };
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(55);
  });

  it('reads what was published from outside, and the next release at once', async () => {
    const store = r2SkillStore(await runtime.getR2Bucket('BUCKET'));
    await publishSkillsToStorage(store, generation(1));
    expect(await (await get('/list')).json()).toEqual([
      ['alpha', 'Does alpha, generation 1.'],
      ['beta', 'Does beta, generation 1.'],
    ]);
    expect(await (await get('/skill?name=alpha')).json()).toMatchObject({
      body: 'Body of alpha, generation 1.',
      origin: { kind: 'storage', label: 'team' },
    });
    await publishSkillsToStorage(store, generation(2));
    const file = await get('/file?name=beta&path=assets/data.bin');
    expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([0xff, 0xfe, 0, 2, 98, 101, 116, 97]);
    const cut = await get('/file?name=beta&path=assets/data.bin&max=2');
    expect([cut.headers.get('x-size'), ...new Uint8Array(await cut.arrayBuffer())]).toEqual(['8', 0xff, 0xfe]);
  });

  it('serves one provider to many requests, some of which are given up', async () => {
    await publishSkillsToStorage(r2SkillStore(await runtime.getR2Bucket('BUCKET')), generation(3));
    const controller = new AbortController();
    const given = Array.from({ length: 8 }, () =>
      runtime.dispatchFetch('http://localhost/list', { signal: controller.signal }).then(
        () => 'answered',
        () => 'given up',
      ),
    );
    controller.abort();
    const answers = await Promise.all(
      Array.from({ length: 16 }, async () => (await (await get('/skill?name=alpha')).json()) as { body: string }),
    );
    expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['Body of alpha, generation 3.']));
    await Promise.all(given);
  });

  it('mirrors one store into another from within, and only what is new', async () => {
    await publishSkillsToStorage(r2SkillStore(await runtime.getR2Bucket('BUCKET')), generation(4));
    expect(await (await get('/mirror')).json()).toEqual({ skills: 2, uploads: 6, reused: 0, names: ['alpha', 'beta'] });
    expect(await (await get('/mirror')).json()).toEqual({ skills: 2, uploads: 0, reused: 6, names: ['alpha', 'beta'] });
  });

  it.each([
    ['r2', 1_010],
    ['kv', 35],
  ])('keeps bytes in %s, cuts them, tells sizes, lists %i keys, more than a page, and forgets what is deleted', async (store, listed) => {
    expect(await (await get(`/exercise?store=${store}`)).json()).toEqual({
      read: {
        whole: { size: 3_000, length: 3_000, same: true },
        cut: { size: 3_000, length: 5, same: true },
        beyond: { size: 3_000, length: 3_000, same: true },
        empty: { size: 0, length: 0, same: true },
        none: null,
      },
      listed,
      sizes: [2],
      left: 0,
      others: ['unit/bytes', 'unit/empty'],
    });
  });

  it('writes to R2 only where nobody else did', async () => {
    const store = r2SkillStore(await runtime.getR2Bucket('BUCKET'));
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(await store.put('swap', bytes('a'), { ifMatch: null })).toBe(true);
    expect(await store.put('swap', bytes('b'), { ifMatch: null })).toBe(false);
    const etag = (await store.get('swap'))?.etag ?? '';
    expect(await store.put('swap', bytes('c'), { ifMatch: etag })).toBe(true);
    expect(await store.put('swap', bytes('d'), { ifMatch: etag })).toBe(false);
    expect((await store.get('swap'))?.bytes).toEqual(bytes('c'));
  });
});
