/** Options of every call to a {@link SkillStore}. */
export interface SkillStoreCallOptions {
  /** Aborts the call. A store may ignore it; callers stop waiting anyway. @default never */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link SkillStore.get}. */
export interface SkillStoreGetOptions extends SkillStoreCallOptions {
  /**
   * Maximum number of bytes to read, at least 1. A longer object is cut to its first bytes; a store
   * without ranges reads all of it and cuts.
   * @default no limit
   */
  readonly maxBytes?: number | undefined;
}

/** Options of {@link SkillStore.put}. */
export interface SkillStorePutOptions extends SkillStoreCallOptions {
  /**
   * Writes only if the object has this etag, or with `null`, only if it does not exist. A store
   * that is not `conditional` always writes.
   * @default writes always
   */
  readonly ifMatch?: string | null | undefined;
}

/** An object of a store. */
export interface SkillStoreObject {
  /** The bytes, at most `maxBytes` of them. */
  readonly bytes: Uint8Array;
  /** Size of the whole object in bytes. */
  readonly size: number;
  /** Changes with the contents. Only for a store that is `conditional`. */
  readonly etag?: string | undefined;
}

/** An object in a listing of a store. */
export interface SkillStoreEntry {
  readonly key: string;
  /** In bytes, if the store reports it. */
  readonly size?: number | undefined;
  /** When it was written, in milliseconds since 1970, if the store reports it. */
  readonly uploadedAt?: number | undefined;
}

/**
 * The interface to object and key-value storage: bytes in, bytes out. Keys consist of `a-z`, `A-Z`,
 * `0-9`, `.`, `_`, `-` and `/`, so that they are valid in every store. A rejected call means that
 * the store did not answer; a missing object is `null`, not an error.
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
  /** Name of the store in messages: `r2`, `kv`. */
  readonly label: string;
  /** Whether `put` honors `ifMatch`, so that concurrent publishers take turns. */
  readonly conditional: boolean;
  /** Reads an object. The caller owns the bytes. Returns `null` if it does not exist. */
  get(key: string, options?: SkillStoreGetOptions): Promise<SkillStoreObject | null>;
  /** Writes a whole object. Returns `false` and writes nothing if `ifMatch` does not hold. */
  put(key: string, bytes: Uint8Array, options?: SkillStorePutOptions): Promise<boolean>;
  /** Lists all objects whose key starts with a prefix that ends with `/`, in any order. */
  list(prefix: string, options?: SkillStoreCallOptions): Promise<readonly SkillStoreEntry[]>;
  /** Deletes objects. Missing ones are ignored. */
  delete(keys: readonly string[], options?: SkillStoreCallOptions): Promise<void>;
}
