import { messageOf } from '@repertoire/skills-core/internal';
import { SkillError } from '@repertoire/skills-core';
import { abortable } from '@repertoire/skills-core/provider';
import type { SkillStore } from './skill-store.ts';

/**
 * Calls a store with abort and readable errors, because bindings of Workers take no signal and
 * their errors contain no key.
 *
 * @throws {SkillError} `source-unavailable`
 */
export async function askStore<Value>(
  store: SkillStore,
  what: string,
  signal: AbortSignal | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await abortable(work, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    if (SkillError.isInstance(cause)) throw cause;
    throw new SkillError(
      'source-unavailable',
      `The store ${store.label} did not ${what}: ${messageOf(cause)}. Check that it is there, and that this process may use it.`,
      { cause },
    );
  }
}
