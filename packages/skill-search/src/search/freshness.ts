import type { SkillProvider } from '@repertoire/skills-core';
import { sharesPromises } from '@repertoire/skills-core/internal';
import { abortable } from '@repertoire/skills-core/provider';

/** @param rereads whether a reported change may not show in the listing */
type UpdateLibrary = (rereads: boolean, signal: AbortSignal | undefined, onListed: () => void) => Promise<void>;

/** Decides when a library is updated. Callers share one update, except in Workers. */
export class Freshness {
  readonly #staleAfterMs: number;
  readonly #now: () => number;
  readonly #update: UpdateLibrary;
  readonly #stopWatching: (() => void) | undefined;
  readonly #onListed: Set<() => void> = new Set();
  #running: Promise<void> | null = null;
  #runningRereads = false;
  #updatedAt = Number.NEGATIVE_INFINITY;
  #changes = 0;
  #seenChanges = 0;
  /** Error of the last update. */
  failure: { readonly error: unknown } | null = null;

  constructor(provider: SkillProvider, staleAfterMs: number, now: () => number, update: UpdateLibrary) {
    this.#staleAfterMs = staleAfterMs;
    this.#now = now;
    this.#update = update;
    this.#stopWatching = provider.watch?.(() => {
      this.#changes += 1;
    });
  }

  /** Whether the index is fresh enough to answer. */
  get isCurrent(): boolean {
    const age = this.#now() - this.#updatedAt;
    return this.#running === null && this.#changes === this.#seenChanges && age >= 0 && age < this.#staleAfterMs;
  }

  /** Resolves when the library is up to date. Rejects with the update's error, or for an abort. */
  async update(rereads: boolean, signal: AbortSignal | undefined, onListed: () => void = () => {}): Promise<void> {
    if (!sharesPromises()) return await this.#run(rereads, signal, onListed);
    this.#onListed.add(onListed);
    // A running update was listed before this call, so it may miss what the caller wants.
    if (rereads && this.#running !== null && !this.#runningRereads)
      await abortable(async () => await this.#running?.catch(() => {}), signal);
    if (this.#running === null) {
      this.#runningRereads = rereads;
      this.#running = this.#run(rereads, undefined, () => this.#tellListed()).finally(() => {
        this.#running = null;
        this.#onListed.clear();
      });
      // Waiting callers get the error. If there are none, it is kept in `failure`.
      this.#running.catch(() => {});
    }
    const running = this.#running;
    await abortable(async () => await running, signal);
  }

  stop(): void {
    this.#stopWatching?.();
  }

  #tellListed(): void {
    for (const onListed of this.#onListed) onListed();
  }

  async #run(rereads: boolean, signal: AbortSignal | undefined, onListed: () => void): Promise<void> {
    const changes = this.#changes;
    try {
      await this.#update(rereads || changes !== this.#seenChanges, signal, onListed);
      this.failure = null;
      this.#seenChanges = changes;
    } catch (error) {
      signal?.throwIfAborted();
      this.failure = { error };
      throw error;
    } finally {
      // Also after a failure, so that a source that is down is not asked at each search.
      if (signal?.aborted !== true) this.#updatedAt = this.#now();
    }
  }
}
