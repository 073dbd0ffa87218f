import { describe, expect, it } from 'vitest';
import { publishSkillsToStorage } from '../src/index.ts';
import { generation, generationsSeen } from './support/libraries.ts';
import { published } from './support/published.ts';

describe('SRC-9: the clock of a reader', () => {
  it('may go back: what was read is not used until it has caught up', async () => {
    const { store, provider, clock } = await published({ staleAfterMs: 10_000 });
    clock.time = 1e12;
    expect(await generationsSeen(provider)).toEqual([1]);
    await publishSkillsToStorage(store, generation(2));
    clock.time = 1e12 - 3_600_000;
    expect(await generationsSeen(provider)).toEqual([2]);
  });

  it('counts from when the store was asked, not from when it had answered', async () => {
    const { store, provider, clock } = await published({ staleAfterMs: 1_000 });
    store.before = async (call, key) => {
      if (call !== 'get' || !key.startsWith('releases/')) return;
      // The pointer was read; while the release is on its way, another one is published.
      store.before = () => {};
      await publishSkillsToStorage(store, generation(2));
      clock.time += 900;
    };
    expect((await provider.listSkills()).skills[0]?.description).toContain('generation 1');
    clock.time += 100;
    expect((await provider.listSkills()).skills[0]?.description).toContain('generation 2');
  });
});
