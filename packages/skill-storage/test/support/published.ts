import { SkillRegistry, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
import {
  publishSkillsToStorage,
  storageSkillProvider,
  type StorageSkillProvider,
  type StorageSkillProviderOptions,
} from '../../src/index.ts';
import { generation } from './libraries.ts';
import { MemoryStore } from './memory-store.ts';

/** A published library, and a reader with a clock that stands still. */
export interface Published {
  readonly store: MemoryStore;
  readonly provider: StorageSkillProvider;
  readonly clock: { time: number };
  /** Codes of the reader's diagnostics. */
  codes(): Promise<SkillDiagnostic['code'][]>;
}

export async function published(
  options: Partial<StorageSkillProviderOptions> = {},
  library: SkillProvider = generation(1),
): Promise<Published> {
  const store = new MemoryStore();
  await publishSkillsToStorage(store, library);
  store.asked();
  const clock = { time: 0 };
  const provider = storageSkillProvider({ store, now: () => clock.time, ...options });
  const codes = async () => (await provider.listSkills()).diagnostics.map(({ code }) => code);
  return { store, provider, clock, codes };
}

/** A skill with a file of 100,000 bytes, and an empty one. */
export const large: SkillProvider = new SkillRegistry({
  skills: [
    {
      name: 'large',
      description: 'Has a large file.',
      body: 'b',
      resources: { 'assets/large.bin': new Uint8Array(100_000).fill(7), 'empty.txt': '' },
    },
  ],
});
