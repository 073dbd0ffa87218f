import type { ReleaseState } from '../release/verify-release.ts';

/**
 * Remembers the last accepted release of each source, so that no older one is accepted. Store it
 * where the sources cannot write and all processes share it, such as a database or a file.
 */
export interface ReleaseMemory {
  /** What is remembered of a source, or `null`. */
  read(source: string): Promise<ReleaseState | null>;
  /**
   * Remembers an accepted release. If two calls of one signer run concurrently, the higher number
   * stays, and of one number the first.
   */
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
