import { createHash } from 'node:crypto';
import type { SkillStore, SkillStoreEntry } from '../../src/index.ts';

/** A store in memory that behaves as R2 does, and writes down what it was asked. */
export class MemoryStore implements SkillStore {
  readonly label = 'memory';
  readonly conditional: boolean;
  readonly objects = new Map<string, { readonly bytes: Uint8Array; readonly uploadedAt: number }>();
  /** What was asked: `get current.json`, `put files/…`. */
  readonly log: string[] = [];
  /** Asked before each call; what it throws is what the call rejects with. */
  before: (call: string, key: string) => void | Promise<void> = () => {};
  /** When things are written, in milliseconds. */
  time = 0;

  constructor({ conditional = true }: { readonly conditional?: boolean } = {}) {
    this.conditional = conditional;
  }

  async get(key: string, { maxBytes }: { maxBytes?: number | undefined } = {}) {
    await this.#note('get', key);
    const found = this.objects.get(key);
    if (found === undefined) return null;
    return { bytes: found.bytes.slice(0, maxBytes), size: found.bytes.length, etag: etagOf(found.bytes) };
  }

  async put(key: string, bytes: Uint8Array, { ifMatch }: { ifMatch?: string | null | undefined } = {}): Promise<boolean> {
    await this.#note('put', key);
    const found = this.objects.get(key);
    if (this.conditional && ifMatch !== undefined && ifMatch !== (found === undefined ? null : etagOf(found.bytes))) return false;
    this.objects.set(key, { bytes: bytes.slice(), uploadedAt: this.time });
    return true;
  }

  async list(prefix: string): Promise<SkillStoreEntry[]> {
    await this.#note('list', prefix);
    return [...this.objects]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, { bytes, uploadedAt }]) => ({ key, size: bytes.length, uploadedAt }));
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.#note('delete', key);
      this.objects.delete(key);
    }
  }

  /** What was asked since it was asked last. */
  asked(): string[] {
    return this.log.splice(0);
  }

  /** Replaces bytes behind everyone's back. */
  tamper(key: string, change: (bytes: Uint8Array) => Uint8Array): void {
    const found = this.objects.get(key);
    if (found === undefined) throw new Error(`There is no ${key}.`);
    this.objects.set(key, { ...found, bytes: change(found.bytes) });
  }

  async #note(call: string, key: string): Promise<void> {
    await this.before(call, key);
    this.log.push(`${call} ${key}`);
  }
}

function etagOf(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}
