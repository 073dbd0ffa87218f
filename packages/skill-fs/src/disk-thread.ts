import { Worker } from 'node:worker_threads';
import { SkillError, type SkillErrorCode } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import type { SkillListing } from '@repertoire/skills-core/provider';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import type { FolderCalls } from './folder-skills.ts';
import type { ResolvedSkillRoot } from './skill-roots.ts';

/** What the thread is told. */
export type ToThread =
  | { readonly id: number; readonly method: keyof FolderCalls; readonly given: readonly unknown[] }
  | { readonly abort: number }
  | { readonly watch: boolean }
  | { readonly close: true };

/** What it tells. A listing that was told before is not told again. */
export type FromThread =
  | { readonly id: number; readonly value?: unknown; readonly isSameListing?: boolean }
  | { readonly id: number; readonly error: { readonly code?: SkillErrorCode; readonly message: string; readonly about: object } }
  | { readonly changed: true }
  | { readonly ready: true }
  | { readonly closed: true };

/** After that, the disk may be quick again. */
const idleMs = 10_000;

/** A thread with the same source, for a disk that makes its callers wait. */
export class DiskThread {
  readonly #worker: Worker;
  readonly #ended: () => void;
  readonly #calls = new Map<
    number,
    { readonly method: keyof FolderCalls; readonly resolve: (value: unknown) => void; readonly reject: (error: unknown) => void }
  >();
  readonly #failed: (error: unknown) => void;
  #listing: SkillListing | null = null;
  #changed: (() => void) | null = null;
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  private constructor(worker: Worker, ended: () => void) {
    this.#worker = worker;
    this.#ended = ended;
    this.#failed = (error) => {
      for (const { reject } of this.#calls.values()) reject(error);
      this.#calls.clear();
      this.#ended();
    };
    worker.on('message', (message: FromThread) => this.#take(message));
    worker.on('error', this.#failed);
    worker.on('exit', () => this.#failed(new Error('The thread of a slow disk has ended.')));
    worker.unref();
  }

  /**
   * Starts a thread.
   *
   * @param ended is called when it is no more
   * @returns `null` where none can be started: a bundle may lack its program
   */
  static async start(settings: FileSystemSettings, roots: readonly ResolvedSkillRoot[], ended: () => void): Promise<DiskThread | null> {
    const isSource = import.meta.url.endsWith('.ts');
    const { now: _now, ...options } = settings;
    try {
      const worker = new Worker(new URL(isSource ? './disk-thread-program.ts' : './disk-thread-program.js', import.meta.url), {
        workerData: { ...options, roots: roots.map(({ path, label, trusted, optional }) => ({ path, label, trusted, optional })) },
        ...(isSource && { execArgv: ['--conditions=@repertoire/source'] }),
      });
      await new Promise<void>((resolve, reject) => {
        worker.once('message', () => resolve());
        worker.once('error', reject);
      });
      return new DiskThread(worker, ended);
    } catch {
      return null;
    }
  }

  /** Asks for what {@link FolderCalls} does; an abort goes through. */
  async ask(method: keyof FolderCalls, given: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    const id = (this.#lastId += 1);
    const onAbort = (): void => this.#tell({ abort: id });
    clearTimeout(this.#idle);
    try {
      return await new Promise((resolve, reject) => {
        this.#calls.set(id, { method, resolve, reject });
        // A call that is under way keeps the process, as calls of the disk do.
        this.#worker.ref();
        signal.addEventListener('abort', onAbort, { once: true });
        this.#tell({ id, method, given });
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#calls.delete(id);
      this.#rest();
    }
  }

  /** Tells of changes from now on; `null` for nothing more. */
  watch(changed: (() => void) | null): void {
    this.#changed = changed;
    this.#tell({ watch: changed !== null });
    if (changed === null) this.#rest();
    else clearTimeout(this.#idle);
  }

  /** Lets it save what it knows, and ends it. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#worker.ref();
    this.#tell({ close: true });
    await new Promise<void>((resolve) => {
      this.#worker.once('exit', () => resolve());
      this.#worker.on('message', (message: FromThread) => {
        if ('closed' in message) resolve();
      });
    });
    await this.#worker.terminate();
  }

  #rest(): void {
    if (this.#calls.size > 0) return;
    this.#worker.unref();
    clearTimeout(this.#idle);
    if (this.#changed === null) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
  }

  #tell(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    this.#worker.postMessage(message);
  }

  #take(message: FromThread): void {
    if ('changed' in message) return this.#changed?.();
    const call = 'id' in message ? this.#calls.get(message.id) : undefined;
    if (call === undefined || !('id' in message)) return;
    if ('error' in message) {
      const { code, message: text, about } = message.error;
      return call.reject(code === undefined ? new Error(text) : new SkillError(code, text, about));
    }
    if (call.method !== 'list') return call.resolve(call.method === 'get' ? deepFreeze(message.value) : message.value);
    if (message.isSameListing !== true) this.#listing = deepFreeze(message.value as SkillListing);
    call.resolve(this.#listing);
  }
}
