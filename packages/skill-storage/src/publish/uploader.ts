import { SkillError } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';
import type { OpenStore } from '../store/open-store.ts';

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
export type FileUploader = Pick<Uploader, 'has' | 'file'>;

interface UploaderOptions {
  readonly store: OpenStore;
  readonly dryRun: boolean;
  readonly verify: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onUpload: () => void;
}

/** Lists a store and creates the uploader for what is missing. */
export async function createUploader(options: UploaderOptions): Promise<Uploader> {
  const { store, verify, signal } = options;
  const stored = new Map<string, number | undefined>();
  for (const prefix of verify ? [] : [store.keys.files, store.keys.releases]) {
    for (const { key, size } of await store.list(prefix, { signal })) stored.set(key, size);
  }
  return new Uploader(options, stored);
}

/** Stores each file once. */
export class Uploader {
  readonly uploads: SkillUpload[] = [];
  readonly #options: UploaderOptions;
  /** Sizes by key. */
  readonly #stored: ReadonlyMap<string, number | undefined>;
  readonly #begun = new Set<string>();
  readonly #reused = new Set<string>();
  #bytes = 0;

  constructor(options: UploaderOptions, stored: ReadonlyMap<string, number | undefined>) {
    this.#options = options;
    this.#stored = stored;
  }

  /** Number of files that were already stored. */
  get reused(): number {
    return this.#reused.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the store has the file in its full size. If so, it counts as reused. */
  has(digest: string, size: number): boolean {
    const isThere = this.#isStored(this.#options.store.keys.file(digest), size);
    if (isThere) this.#reused.add(digest);
    return isThere;
  }

  /** Stores a file and returns its digest. */
  async file(of: Omit<SkillUpload, 'size'>, bytes: Uint8Array): Promise<string> {
    const digest = await sha256Hex(bytes);
    if (this.#begun.has(digest) || this.has(digest, bytes.length)) return digest;
    this.#begun.add(digest);
    await this.#put(this.#options.store.keys.file(digest), bytes);
    this.uploads.push({ ...of, size: bytes.length });
    this.#bytes += bytes.length;
    this.#options.onUpload();
    return digest;
  }

  /** Stores a release. All but the current are written again, as age protects from pruning. */
  async release(id: string, bytes: Uint8Array, isCurrent: boolean): Promise<void> {
    const key = this.#options.store.keys.release(id);
    if (!isCurrent || !this.#isStored(key, bytes.length)) await this.#put(key, bytes);
  }

  /** Checks that reused files were not pruned. @throws {SkillError} `source-unavailable` */
  async checkReused(): Promise<void> {
    const { store, dryRun, signal } = this.#options;
    if (this.#reused.size === 0 || dryRun) return;
    const there = new Set((await store.list(store.keys.files, { signal })).map(({ key }) => key));
    const lost = [...this.#reused].map((digest) => store.keys.file(digest)).find((key) => !there.has(key));
    if (lost === undefined) return;
    throw new SkillError(
      'source-unavailable',
      `${lost} was removed from the store ${store.label} while skills were published; nothing was changed for readers. Publish again.`,
      { path: lost },
    );
  }

  /** Whether it is stored. An interrupted upload has another size. */
  #isStored(key: string, size: number): boolean {
    return this.#stored.has(key) && (this.#stored.get(key) ?? size) === size;
  }

  async #put(key: string, bytes: Uint8Array): Promise<void> {
    const { store, dryRun, signal } = this.#options;
    if (!dryRun) await store.put(key, bytes, { signal });
  }
}
