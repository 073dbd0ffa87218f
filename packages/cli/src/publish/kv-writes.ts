import type { KvRestApi } from './kv-rest-api.ts';

interface Waiting {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Per request. The API takes 10,000 pairs and 100 MB as base64. */
export const maxPairs = 1_000;
const maxBytes = 32 * 2 ** 20;

/** Writes that wait for the next request. */
export class KvWrites {
  readonly #api: KvRestApi;
  readonly #waiting: Waiting[] = [];
  #isSending = false;

  constructor(api: KvRestApi) {
    this.#api = api;
  }

  async put(key: string, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ key, bytes, signal, resolve, reject });
    void this.#pump();
    await promise;
  }

  async #pump(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    // Wait a turn, so that other writes of this turn join the same request.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch: Waiting[] = [];
      for (const entry of this.#next()) {
        if (entry.signal?.aborted === true) entry.reject(entry.signal.reason);
        else batch.push(entry);
      }
      try {
        if (batch.length > 0) await this.#send(batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isSending = false;
  }

  /** As many as one request takes, and at least one. */
  #next(): Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((entry, index) => index > 0 && (index >= maxPairs || (bytes += entry.bytes.length) > maxBytes));
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const body = batch.map(({ key, bytes }) => ({
      key,
      value: Buffer.from(bytes).toString('base64'),
      base64: true,
      metadata: { size: bytes.length, uploadedAt: Date.now() },
    }));
    const [first] = batch;
    // Several callers share this request, so the signal of one must not abort it.
    const signal = batch.every((entry) => entry.signal === first?.signal) ? first?.signal : undefined;
    const { result } = await this.#api.call<{ result?: { unsuccessful_keys?: readonly string[] } | null }>('PUT', '/bulk', {
      body,
      signal,
    });
    const failed = new Set(result?.unsuccessful_keys);
    for (const { key, resolve, reject } of batch) {
      if (failed.has(key)) reject(new Error(`KV did not take ${key} for now`));
      else resolve();
    }
  }
}
