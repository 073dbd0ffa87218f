import { SkillError } from '@repertoire/skills-core';
import type { SetTimer } from '@repertoire/skills-core/internal';

/** What a connection leads to: a client of a server, or those of several. */
export interface Closable {
  close(): Promise<unknown>;
}

/** Options of {@link ServerConnection}. */
export interface ServerConnectionOptions {
  /** Milliseconds without use after which it is closed. `Infinity` keeps it open. */
  readonly idleMs: number;
  /** @default one that does not keep a process alive */
  readonly setTimer?: SetTimer | undefined;
  /** Called when it was not used for `idleMs`. @default it is closed, and the next use opens it */
  readonly onIdle?: (() => void) | undefined;
  readonly onOpened?: (() => void) | undefined;
  readonly onClosed?: (() => void) | undefined;
}

/** What a connection that is being opened knows of its owner. */
export interface OpeningConnection {
  /** Called when the server ends, so that the next use starts it again. */
  readonly ended: () => void;
  /** Aborts when the connection is closed before it is open. */
  readonly signal: AbortSignal;
}

/**
 * A connection that is opened by its first use, shared by uses at the same time, and closed when it
 * is idle, when its server ends, or for good when it is released.
 */
export class ServerConnection<Client extends Closable> {
  readonly #connect: (opening: OpeningConnection) => Promise<Client>;
  readonly #options: ServerConnectionOptions;
  #client: Promise<Client> | null = null;
  #opening: AbortController | null = null;
  #uses = 0;
  #stopTimer: (() => void) | undefined;
  #isReleased = false;

  constructor(connect: (opening: OpeningConnection) => Promise<Client>, options: ServerConnectionOptions) {
    this.#connect = connect;
    this.#options = options;
  }

  /** @throws {SkillError} `source-unavailable` once it is released, and what connecting throws */
  async use<Value>(work: (client: Client) => Promise<Value>): Promise<Value> {
    if (this.#isReleased)
      throw new SkillError(
        'source-unavailable',
        'The connection to the server of this tool has been closed. Load its skill again, or go on without it.',
      );
    this.#stopTimer?.();
    this.#uses += 1;
    try {
      return await work(await (this.#client ??= this.#open()));
    } finally {
      this.#uses -= 1;
      if (this.#uses === 0 && this.#client !== null) this.#rest();
    }
  }

  /** Closes it. The next use opens it again. */
  async close(): Promise<void> {
    this.#stopTimer?.();
    const client = this.#client;
    this.#client = null;
    this.#opening?.abort();
    // One that opens all the same is closed as soon as it is there.
    const open = await client?.catch(() => null);
    if (!open) return;
    await open.close().catch(() => undefined);
    this.#options.onClosed?.();
  }

  /** Closes it for good. */
  async release(): Promise<void> {
    this.#isReleased = true;
    await this.close();
  }

  async #open(): Promise<Client> {
    try {
      const ended = (): void => {
        if (this.#client !== null) this.#options.onClosed?.();
        this.#client = null;
      };
      const { signal } = (this.#opening = new AbortController());
      const client = await this.#connect({ ended, signal });
      this.#options.onOpened?.();
      return client;
    } catch (error) {
      this.#client = null;
      throw error;
    } finally {
      this.#opening = null;
    }
  }

  #rest(): void {
    const { idleMs, onIdle = () => void this.close(), setTimer = unreferencedTimer } = this.#options;
    if (idleMs !== Number.POSITIVE_INFINITY) this.#stopTimer = setTimer(onIdle, idleMs);
  }
}

const unreferencedTimer: SetTimer = (callback, milliseconds) => {
  const timer: unknown = setTimeout(callback, milliseconds);
  // Node.js: the timer must not keep the process alive.
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') timer.unref();
  return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
};
