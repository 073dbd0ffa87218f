import { sha256Hex } from '@repertoire/skills-core/provider';

/**
 * Where answers are kept beyond the life of a process: a map of keys to bytes. Keys are short and
 * safe as file names. The provider verifies what it reads, so it need not trust the cache. A cache
 * that fails counts as empty.
 *
 * Give the sources of one audience one cache. A cache that tenants share would show one tenant the
 * skills of another.
 *
 * @example A cache in a store of key-value pairs
 * ```ts
 * import type { HttpSkillCache } from '@repertoire/skill-http';
 *
 * interface Store { get(key: string): Promise<ArrayBuffer | null>; put(key: string, value: Uint8Array): Promise<void> }
 *
 * export function storeCache(store: Store): HttpSkillCache {
 *   return {
 *     async get(key) {
 *       const value = await store.get(key);
 *       return value === null ? null : new Uint8Array(value);
 *     },
 *     set: (key, bytes) => store.put(key, bytes),
 *   };
 * }
 * ```
 */
export interface HttpSkillCache {
  /** The bytes that were set last, or `null`. */
  get(key: string): Promise<Uint8Array | null>;
  /** Keeps bytes. Replaces what was there, as a whole or not at all. */
  set(key: string, bytes: Uint8Array): Promise<void>;
}

/** What is stored of an answer besides its bytes, which are stored by their digest. */
export interface AnswerRecord {
  /** Name of the document. */
  readonly key: string;
  /** Where the answer came from. */
  readonly url: string;
  /** SHA-256 of the bytes. */
  readonly digest: string;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** When the server was last asked, in milliseconds since 1970. */
  readonly checkedAt: number;
}

/** Answers and blobs in a cache, whose failures are only passed to `onFailure`. */
export interface AnswerCache {
  /** Whether there is a cache. */
  readonly isThere: boolean;
  /** Bytes with this SHA-256. */
  readBlob(digest: string): Promise<Uint8Array | null>;
  writeBlob(digest: string, bytes: Uint8Array): Promise<void>;
  readAnswer(key: string): Promise<{ readonly record: AnswerRecord; readonly bytes: Uint8Array } | null>;
  writeAnswer(record: AnswerRecord, bytes: Uint8Array): Promise<void>;
}

/** Wraps a cache. `partition` separates the answers for different credentials. */
export function answerCache(
  cache: HttpSkillCache | undefined,
  partition: () => Promise<string>,
  onFailure: (error: unknown) => void,
): AnswerCache {
  const attempt = async <Value>(work: (cache: HttpSkillCache) => Promise<Value>): Promise<Value | null> => {
    if (cache === undefined) return null;
    try {
      return await work(cache);
    } catch (error) {
      onFailure(error);
      return null;
    }
  };
  const answerKey = async (key: string) => `answer-${await sha256Hex(`${await partition()}\n${key}`)}`;
  const readBlob = async (digest: string) =>
    await attempt(async (store) => {
      const bytes = await store.get(`blob-${digest}`);
      return bytes !== null && (await sha256Hex(bytes)) === digest ? bytes : null;
    });
  const writeBlob = async (digest: string, bytes: Uint8Array) => {
    await attempt((store) => store.set(`blob-${digest}`, bytes));
  };

  return {
    isThere: cache !== undefined,
    readBlob,
    writeBlob,
    async readAnswer(key) {
      return await attempt(async (store) => {
        const stored = await store.get(await answerKey(key));
        const record = stored === null ? null : parseRecord(stored, key);
        const bytes = record === null ? null : await readBlob(record.digest);
        return record === null || bytes === null ? null : { record, bytes };
      });
    },
    async writeAnswer(record, bytes) {
      // The blob is written first, so that a record never names missing bytes.
      await writeBlob(record.digest, bytes);
      await attempt(async (store) => store.set(await answerKey(record.key), new TextEncoder().encode(JSON.stringify(record))));
    },
  };
}

function parseRecord(bytes: Uint8Array, key: string): AnswerRecord | null {
  try {
    const record = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Record<keyof AnswerRecord, unknown>> | null;
    if (typeof record !== 'object' || record === null || record.key !== key) return null;
    const { url, digest, checkedAt, etag, lastModified } = record;
    if (typeof url !== 'string' || typeof digest !== 'string' || typeof checkedAt !== 'number') return null;
    return {
      key,
      url,
      digest,
      checkedAt,
      ...(typeof etag === 'string' && { etag }),
      ...(typeof lastModified === 'string' && { lastModified }),
    };
  } catch {
    // Written by another program, or truncated: treated as missing.
    return null;
  }
}
