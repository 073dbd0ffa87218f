import { SkillError } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { pruneSkills, publishSkillsToStorage, rollbackSkills, storageSkillProvider } from '../src/index.ts';
import { generation, generationsSeen } from './support/libraries.ts';
import { MemoryStore } from './support/memory-store.ts';

/** Numbers that look random and are the same each time (Park and Miller, 1988). */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 48_271) % 2_147_483_647;
    yield state;
  }
}

describe('SRC-9: whatever publishers do, whole or cut short', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'a reader sees one whole release, a new one and one that was there before (history %i)',
    async (seed) => {
      const random = numbers(seed * 7_919);
      const below = (count: number): number => random.next().value % count;
      const store = new MemoryStore({ conditional: seed % 2 === 0 });
      await publishSkillsToStorage(store, generation(0));
      const old = storageSkillProvider({ store, staleAfterMs: 0 });
      let current = 0;
      let left = Number.POSITIVE_INFINITY;
      store.before = (call) => {
        if ((call === 'put' || call === 'delete') && (left -= 1) < 0) throw new Error('cut short');
      };
      for (let step = 1; step <= 60; step += 1) {
        store.time += 1_000_000;
        left = below(3) === 0 ? below(9) : Number.POSITIVE_INFINITY;
        const number = below(4);
        const action = [
          async () => {
            await publishSkillsToStorage(store, generation(number), { keep: 2 + below(3) });
            current = number;
          },
          async () => {
            await rollbackSkills(store);
            left = Number.POSITIVE_INFINITY;
            current = (await generationsSeen(storageSkillProvider({ store })))[0] ?? -1;
          },
          async () => {
            await pruneSkills(store, { now: () => store.time });
          },
        ][Math.max(0, below(5) - 2)];
        await action?.().catch((error: unknown) => {
          // Nothing to go back to, or cut short.
          if (!SkillError.isInstance(error) || (error.code !== 'source-unavailable' && error.code !== 'invalid-options')) throw error;
        });
        left = Number.POSITIVE_INFINITY;
        expect(await generationsSeen(storageSkillProvider({ store })), `step ${step}`).toEqual([current]);
        expect(await generationsSeen(old), `step ${step}`).toEqual([current]);
      }
    },
  );
});
