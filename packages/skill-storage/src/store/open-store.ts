import { SkillError } from '@repertoire/skills-core';
import { messageOf } from '@repertoire/skills-core/internal';
import { abortable } from '@repertoire/skills-core/provider';
import { storeKeys, type StoreKeys } from '../form/store-keys.ts';
import type { SkillStore } from './skill-store.ts';

const methods = ['get', 'put', 'list', 'delete'] as const;

/** A store with the keys of a prefix. Its calls end with an abort, and say what failed. */
export interface OpenStore extends SkillStore {
  readonly keys: StoreKeys;
}

/**
 * Opens a store for a function. Bindings of Workers take no signal, and their errors contain no
 * key, so every call adds both.
 *
 * @throws {SkillError} `invalid-options` for a value that is not a store, such as a bare binding of
 *   a Worker. Calls reject with `source-unavailable`
 */
export function openStore(of: string, store: SkillStore, prefix: string = ''): OpenStore {
  assertStore(of, store);
  const { label, conditional } = store;
  const ask = async <Value>(what: string, signal: AbortSignal | undefined, work: () => Promise<Value>): Promise<Value> => {
    try {
      return await abortable(work, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      if (SkillError.isInstance(cause)) throw cause;
      throw new SkillError(
        'source-unavailable',
        `The store ${label} did not ${what}: ${messageOf(cause)}. Check that it is there, and that this process may use it.`,
        { cause },
      );
    }
  };
  return {
    label,
    conditional,
    keys: storeKeys(prefix),
    get: (key, options) => ask(`give ${key}`, options?.signal, () => store.get(key, options)),
    put: (key, bytes, options) => ask(`take ${key}`, options?.signal, () => store.put(key, bytes, options)),
    list: (begin, options) => ask(`list ${begin}`, options?.signal, () => store.list(begin, options)),
    delete: (removed, options) => ask('remove what is not needed', options?.signal, () => store.delete(removed, options)),
  };
}

function assertStore(of: string, store: unknown): void {
  const isStore =
    typeof store === 'object' &&
    store !== null &&
    'label' in store &&
    methods.every((method) => typeof Reflect.get(store, method) === 'function');
  if (isStore) return;
  throw new SkillError(
    'invalid-options',
    `${of} was given no store. Give what r2SkillStore, kvSkillStore, s3SkillStore or unstorageSkillStore return, or an object with a label and ${methods.join(', ')}.`,
  );
}
