import type { ReleaseState } from '../release/verify-release.ts';

/** Remembers the last accepted release of each source, where sources cannot write. */
export interface ReleaseMemory {
  /** What is remembered of a source, or `null`. */
  read(source: string): Promise<ReleaseState | null>;
  /** Remembers a release. Of concurrent calls the higher number stays, then the first. */
  remember(state: ReleaseState): Promise<void>;
}

/** A {@link ReleaseMemory} in memory. */
export interface InMemoryReleaseMemory extends ReleaseMemory {
  /** What is remembered, as plain data to be stored. */
  entries(): ReleaseState[];
}

/**
 * Creates a release memory from stored entries. It lives in this process: store `entries()`.
 *
 * @example
 * ```ts
 * import { releaseMemory, type ReleaseState } from '@repertoire/skill-trust';
 *
 * const stored: ReleaseState[] = JSON.parse('[]');
 * export const releases = releaseMemory(stored);
 * ```
 */
export function releaseMemory(entries: readonly ReleaseState[] = []): InMemoryReleaseMemory {
  const states = new Map(entries.map((state) => [state.source, state]));
  return {
    read: async (source) => states.get(source) ?? null,
    remember: async (state) => {
      const known = states.get(state.source);
      if (known === undefined || known.signer !== state.signer || known.release < state.release) states.set(state.source, state);
    },
    entries: () => [...states.values()],
  };
}
