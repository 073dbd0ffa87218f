import { setTimeout } from 'node:timers/promises';
import type { SkillStore } from '@repertoire/skill-storage';
import type { Faults } from './faults.ts';

const slowMs = 150;
const hangMs = 1_500;

/** A store of which some reads fail. */
export function faultyStore(store: SkillStore, faults: Faults): SkillStore {
  return {
    ...store,
    async get(key, options) {
      const kind = faults.next();
      if (kind === 'error' || kind === 'reset' || kind === 'cut') throw new Error('The store does not answer.');
      if (kind === 'slow' || kind === 'hang') await setTimeout(kind === 'slow' ? slowMs : hangMs, undefined, { ref: false });
      const found = await store.get(key, options);
      return kind === 'rubbish' && found !== null ? { ...found, bytes: new TextEncoder().encode('<html>Sign in</html>'), size: 20 } : found;
    },
  };
}
