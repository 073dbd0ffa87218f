import type { McpConnection } from '../connection/mcp-connection.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';

/** Delays before an ended stream is opened again, in milliseconds: doubled up to the maximum. */
const maxRetryMs = 60_000;
const firstRetryMs = 1_000;

/** What the provider does on notifications. */
export interface ChangeWatchHooks {
  connect(): McpConnection | Promise<McpConnection>;
  /** Something changed, so the next listing must be read again. */
  invalidate(): void;
  /** Whether the listing differs. Called when notifications may have been missed. */
  hasChanged(): Promise<boolean>;
}

/** Implements `watch`: listens while somebody watches, and notifies once per burst. */
export class ChangeWatch {
  readonly #settings: McpSkillSettings;
  readonly #hooks: ChangeWatchHooks;
  readonly #watchers = new Set<{ readonly onChange: () => void }>();
  #stopListening: (() => void) | undefined;
  #cancelTimers: Set<() => void> = new Set();
  #burst = false;
  #closed = false;

  constructor(settings: McpSkillSettings, hooks: ChangeWatchHooks) {
    this.#settings = settings;
    this.#hooks = hooks;
  }

  watch(onChange: () => void): () => void {
    if (this.#closed) return () => {};
    const watcher = { onChange };
    this.#watchers.add(watcher);
    if (this.#watchers.size === 1) this.#start(firstRetryMs);
    return () => {
      if (this.#watchers.delete(watcher) && this.#watchers.size === 0) this.#stop();
    };
  }

  /** Something changed. Watchers are notified when it is quiet. */
  changed(): void {
    this.#hooks.invalidate();
    if (this.#burst || this.#watchers.size === 0) return;
    this.#burst = true;
    this.#after(this.#settings.debounceMs, () => {
      this.#burst = false;
      for (const watcher of this.#watchers) {
        // In a separate task, so that a listener that throws does not stop the others.
        queueMicrotask(() => {
          if (this.#watchers.has(watcher)) watcher.onChange();
        });
      }
    });
  }

  /** Discards cached data; watchers listen on the new connection. */
  reconnected(): void {
    this.#hooks.invalidate();
    if (this.#watchers.size === 0) return;
    this.#stop();
    this.#start(firstRetryMs);
    this.changed();
  }

  close(): void {
    this.#closed = true;
    this.#watchers.clear();
    this.#stop();
  }

  #start(retryMs: number): void {
    let stopped = false;
    let stop: (() => void) | undefined;
    this.#stopListening = () => {
      stopped = true;
      stop?.();
    };
    const again = (): void => {
      if (stopped) return;
      stopped = true;
      stop?.();
      this.#after(retryMs, () => this.#watchers.size > 0 && this.#start(Math.min(retryMs * 2, maxRetryMs)));
    };
    const listen = (connection: McpConnection): void => {
      if (stopped) return;
      stop = connection.onResourcesChanged?.({
        changed: () => void (stopped || this.changed()),
        ready: () => void this.#catchUp(),
        ended: again,
      });
    };
    const connection = this.#hooks.connect();
    if (connection instanceof Promise) void connection.then(listen).catch(again);
    else listen(connection);
  }

  /** Changes while nobody listened were not reported. */
  async #catchUp(): Promise<void> {
    const changed = await this.#hooks.hasChanged().catch(() => true);
    if (changed) this.changed();
  }

  #stop(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    for (const cancel of this.#cancelTimers) cancel();
    this.#cancelTimers.clear();
    this.#burst = false;
  }

  #after(milliseconds: number, callback: () => void): void {
    const cancel = this.#settings.setTimer(() => {
      this.#cancelTimers.delete(cancel);
      callback();
    }, milliseconds);
    this.#cancelTimers.add(cancel);
  }
}
