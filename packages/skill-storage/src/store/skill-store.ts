/** Options of every call to a {@link SkillStore}. */
export interface SkillStoreCallOptions {
  /** Gives the call up. A store that cannot may ignore it: whoever calls stops waiting all the same. @default never aborted */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link SkillStore.get}. */
export interface SkillStoreGetOptions extends SkillStoreCallOptions {
  /** The most bytes to read, at least 1: a longer object is cut to its first bytes. A store without ranges reads all and cuts. @default no limit */
  readonly maxBytes?: number | undefined;
}

/** Options of {@link SkillStore.put}. */
export interface SkillStorePutOptions extends SkillStoreCallOptions {
  /**
   * Writes only where the object still has this etag; `null`: only where there is none. A store that is not `conditional` writes always.
   * @default writes always
   */
  readonly ifMatch?: string | null | undefined;
}

/** What a store has under a key. */
export interface SkillStoreObject {
  /** The bytes; at most `maxBytes` of them. */
  readonly bytes: Uint8Array;
  /** Size of the whole object in bytes. */
  readonly size: number;
  /** Changes with the contents. Only of a store that is `conditional`. */
  readonly etag?: string | undefined;
}

/** What a listing tells of an object. */
export interface SkillStoreEntry {
  readonly key: string;
  /** In bytes, where the store tells it. */
  readonly size?: number | undefined;
  /** When it was written, in milliseconds since 1970, where the store tells it. */
  readonly uploadedAt?: number | undefined;
}

/**
 * The seam to object and key-value storage: bytes in, bytes out. Keys consist of `a-z`, `A-Z`, `0-9`, `.`, `_`, `-` and `/`, so that every store has them as they
 * are. Whatever a call rejects with means that the store did not answer; nothing is not an error but `null`.
 *
 * @example A store of one's own
 * ```ts
 * import type { SkillStore } from '@repertoire/skill-storage';
 *
 * export function memorySkillStore(): SkillStore {
 *   const objects = new Map<string, Uint8Array>();
 *   return {
 *     label: 'memory',
 *     conditional: false,
 *     async get(key, { maxBytes } = {}) {
 *       const bytes = objects.get(key);
 *       return bytes === undefined ? null : { bytes: bytes.slice(0, maxBytes), size: bytes.length };
 *     },
 *     async put(key, bytes) {
 *       objects.set(key, bytes.slice());
 *       return true;
 *     },
 *     list: async (prefix) => [...objects].filter(([key]) => key.startsWith(prefix)).map(([key, { length }]) => ({ key, size: length })),
 *     async delete(keys) {
 *       for (const key of keys) objects.delete(key);
 *     },
 *   };
 * }
 * ```
 */
export interface SkillStore {
  /** Names the store in messages: `r2`, `kv`. */
  readonly label: string;
  /** Whether `put` honors `ifMatch`, which makes two publishers at once take turns. */
  readonly conditional: boolean;
  /** Reads an object; the bytes are the caller's to change. `null` where there is none. */
  get(key: string, options?: SkillStoreGetOptions): Promise<SkillStoreObject | null>;
  /** Writes an object as a whole. `false` where `ifMatch` does not hold; then nothing is written. */
  put(key: string, bytes: Uint8Array, options?: SkillStorePutOptions): Promise<boolean>;
  /** Every object whose key starts with a prefix, which ends with `/`; in any order. */
  list(prefix: string, options?: SkillStoreCallOptions): Promise<readonly SkillStoreEntry[]>;
  /** Removes objects. Those that are not there are no error. */
  delete(keys: readonly string[], options?: SkillStoreCallOptions): Promise<void>;
}
