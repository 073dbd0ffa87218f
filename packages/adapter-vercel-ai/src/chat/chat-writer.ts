import { SkillError, type SkillEvent } from '@repertoire/skills-core';
import type { UIMessage } from 'ai';
import type { CallOutcome, ChatChange, ChatKey, ChatSnapshot, ChatStore, StartedCall } from './chat-store.ts';

/** Why a turn ends that lost its conversation. */
const lostText = 'Another process has taken over this conversation.';

/**
 * The one who writes a conversation. Its changes follow each other; the first that fails ends the
 * turn.
 */
export class ChatWriter {
  /** Aborts when the conversation is lost, or somebody asks to stop. */
  readonly ending: AbortController = new AbortController();
  readonly #store: ChatStore;
  readonly #key: ChatKey;
  readonly #writer: string;
  readonly #leaseMs: number;
  /** Positions of messages, by id. */
  readonly #positions: Map<string, number>;
  readonly #calls: Map<string, StartedCall>;
  readonly #outcomes: Map<string, CallOutcome>;
  #nextPosition: number;
  #events: number;
  #revision: number;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(store: ChatStore, key: ChatKey, writer: string, leaseMs: number, snapshot: ChatSnapshot) {
    this.#store = store;
    this.#key = key;
    this.#writer = writer;
    this.#leaseMs = leaseMs;
    this.#positions = new Map(snapshot.messages.map(({ id }, index) => [id, index]));
    this.#nextPosition = snapshot.messages.length;
    this.#calls = new Map(snapshot.calls.map((call) => [call.id, call]));
    this.#outcomes = new Map(snapshot.outcomes);
    this.#events = snapshot.events.length;
    this.#revision = snapshot.revision;
  }

  /** `'busy'` while another one writes. */
  static async take(store: ChatStore, key: ChatKey, leaseMs: number): Promise<{ writer: ChatWriter; snapshot: ChatSnapshot } | 'busy'> {
    const id = crypto.randomUUID();
    const snapshot = await store.take(key, id, leaseMs);
    return snapshot === 'busy' ? 'busy' : { writer: new ChatWriter(store, key, id, leaseMs, snapshot), snapshot };
  }

  /** What is known of calls, for messages that show how they ended. */
  get known(): { readonly calls: readonly StartedCall[]; readonly outcomes: ReadonlyMap<string, CallOutcome> } {
    return { calls: [...this.#calls.values()], outcomes: this.#outcomes };
  }

  /** Writes messages, adding those that are new at the end. */
  async put(messages: readonly UIMessage[], change: Pick<ChatChange, 'title' | 'removed' | 'release'> = {}): Promise<void> {
    const placed = messages.map((message) => {
      const position = this.#positions.get(message.id) ?? this.#nextPosition++;
      this.#positions.set(message.id, position);
      return { position, message };
    });
    await this.#write({ ...change, messages: placed });
  }

  /** Lets others write. A conversation in which nobody has said anything is none. */
  async release(): Promise<void> {
    if (this.#positions.size === 0) await this.remove();
    else await this.put([], { release: true });
  }

  async append(events: readonly SkillEvent[]): Promise<void> {
    const from = this.#events;
    this.#events += events.length;
    await this.#write({ events: events.map((event, index) => ({ position: from + index, event })) });
  }

  /** `false` if a call with this id has started before. */
  async start(call: StartedCall): Promise<boolean> {
    if (this.#calls.has(call.id)) return false;
    this.#calls.set(call.id, call);
    await this.#write({ started: { position: this.#calls.size - 1, call } });
    return true;
  }

  async end(call: string, outcome: CallOutcome): Promise<void> {
    await this.#store.end(this.#key, call, outcome);
    this.#outcomes.set(call, outcome);
  }

  async remove(): Promise<void> {
    await this.#store.remove(this.#key, this.#writer);
  }

  /**
   * Keeps the conversation while the turn runs, and hands chunks to readers on other machines.
   *
   * @param chunks all chunks so far
   * @returns ends it
   */
  keep(chunks: readonly unknown[]): () => Promise<void> {
    const everyMs = Math.min(1000, this.#leaseMs / 4);
    let sent = 0;
    let heldAt = Date.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let beating = Promise.resolve();
    const beat = async (): Promise<void> => {
      const from = sent;
      const texts = chunks.slice(from).map((chunk) => JSON.stringify(chunk));
      try {
        const is = await this.#store.beat(this.#key, this.#writer, this.#leaseMs, { from, texts });
        sent = from + texts.length;
        heldAt = Date.now();
        if (is === 'lost') this.#lose(new SkillError('conflict', lostText));
        if (is === 'stopping') this.ending.abort(new Error('The answer was stopped.'));
      } catch (error) {
        // Once the time is over, another one may write.
        if (Date.now() - heldAt > this.#leaseMs) this.#lose(error);
      }
    };
    const next = (): void => {
      timer = setTimeout(() => void (beating = beatAgain()), everyMs);
    };
    const beatAgain = async (): Promise<void> => {
      await beat();
      if (timer !== undefined) next();
    };
    next();
    return async () => {
      clearTimeout(timer);
      timer = undefined;
      await beating;
      // The last chunks, for readers on other machines.
      if (sent > 0) await beat();
    };
  }

  async #write(change: ChatChange): Promise<void> {
    const before = this.#last;
    const run = (async (): Promise<void> => {
      await before;
      if (!(await this.#store.write(this.#key, this.#writer, this.#revision, change))) throw new SkillError('conflict', lostText);
      this.#revision += 1;
    })();
    this.#last = run;
    // Whoever asked for a change is told, and so are those behind it.
    run.catch((error: unknown) => this.#lose(error));
    await run;
  }

  #lose(error: unknown): void {
    this.ending.abort(error);
  }
}
