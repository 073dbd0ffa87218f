import { SkillError } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';
import type { StoreKeys } from '../form/store-keys.ts';
import { askStore } from '../store/ask-store.ts';
import type { SkillStore } from '../store/skill-store.ts';

/** An uploaded file. */
export interface SkillUpload {
  /** Name of the first skill that contains it; empty for the search index, which belongs to all. */
  readonly skill: string;
  /** Path in the skill; `contents.json` is the body and the list of files. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** Stores the files of skills. */
export interface FileUploader {
  /** Whether the store has the file in its full size. If so, it counts as reused. */
  has(digest: string, size: number): boolean;
  /** Stores a file and returns its digest. */
  file(of: Omit<SkillUpload, 'size'>, bytes: Uint8Array): Promise<string>;
}

/** Stores each file once. */
export interface Uploader extends FileUploader {
  readonly uploads: readonly SkillUpload[];
  /** Number of files that were already stored. */
  readonly reused: number;
  readonly bytes: number;
  /** Stores a release. All but the current are written again, as age protects from pruning. */
  release(id: string, bytes: Uint8Array, isCurrent: boolean): Promise<void>;
  /** Checks that reused files were not pruned. @throws {SkillError} `source-unavailable` */
  checkReused(): Promise<void>;
}

interface UploaderOptions {
  readonly dryRun: boolean;
  readonly verify: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onUpload: () => void;
}

/** Lists a store and creates the uploader for what is missing. */
export async function createUploader(
  store: SkillStore,
  keys: StoreKeys,
  { dryRun, verify, signal, onUpload }: UploaderOptions,
): Promise<Uploader> {
  const stored = new Map<string, number | undefined>();
  if (!verify) {
    for (const prefix of [keys.files, keys.releases]) {
      for (const { key, size } of await askStore(store, `list ${prefix}`, signal, () => store.list(prefix, { signal })))
        stored.set(key, size);
    }
  }
  const uploads: SkillUpload[] = [];
  const begun = new Set<string>();
  const reused = new Set<string>();
  let bytesUploaded = 0;

  /** Whether it is stored. An interrupted upload has another size. */
  const isStored = (key: string, size: number): boolean => stored.has(key) && (stored.get(key) ?? size) === size;

  const put = async (key: string, bytes: Uint8Array): Promise<void> => {
    if (!dryRun) await askStore(store, `take ${key}`, signal, () => store.put(key, bytes, { signal }));
  };

  const has = (digest: string, size: number): boolean => {
    const isThere = isStored(keys.file(digest), size);
    if (isThere) reused.add(digest);
    return isThere;
  };

  return {
    uploads,
    has,
    get reused() {
      return reused.size;
    },
    get bytes() {
      return bytesUploaded;
    },

    async file(of, bytes) {
      const digest = await sha256Hex(bytes);
      if (begun.has(digest) || has(digest, bytes.length)) return digest;
      begun.add(digest);
      await put(keys.file(digest), bytes);
      uploads.push({ ...of, size: bytes.length });
      bytesUploaded += bytes.length;
      onUpload();
      return digest;
    },

    async release(id, bytes, isCurrent) {
      const key = keys.release(id);
      if (!isCurrent || !isStored(key, bytes.length)) await put(key, bytes);
    },

    async checkReused() {
      if (reused.size === 0 || dryRun) return;
      const entries = await askStore(store, `list ${keys.files}`, signal, () => store.list(keys.files, { signal }));
      const there = new Set(entries.map(({ key }) => key));
      const lost = [...reused].find((digest) => !there.has(keys.file(digest)));
      if (lost === undefined) return;
      throw new SkillError(
        'source-unavailable',
        `${keys.file(lost)} was removed from the store ${store.label} while skills were published; nothing was changed for readers. Publish again.`,
        { path: keys.file(lost) },
      );
    },
  };
}
