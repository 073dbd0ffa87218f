import { unstorageSkillStore } from '@repertoire/skill-storage';
import { createStorage } from 'unstorage';
import type { ParitySource } from './source.ts';
import { publishLibrary, storedLibrary } from './stored-library.ts';

/** A key-value store, by way of unstorage. R2 and KV are read where they are at home, in Workers. */
export const unstorageSource: ParitySource = {
  name: 'storage (unstorage)',
  async open(library) {
    const store = unstorageSkillStore(createStorage());
    await publishLibrary(library, store);
    return { provider: storedLibrary(library, store), close: async () => {} };
  },
};
