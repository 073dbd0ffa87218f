import { SkillError, type SkillEvent } from '@repertoire/skills-core';
import { notRunText, ranAlreadyText } from '@repertoire/skills-core/internal';
import type { ToolSet, UIMessage } from 'ai';
import { aroundExecute } from '../tools/around-execute.ts';
import type { CallOutcome, ChatChange, ChatKey, ChatSnapshot, ChatStore, StartedCall } from './chat-store.ts';

/** Why a turn ends that lost its conversation. */
const lostText = 'Another process has taken over this conversation.';

/**
 * Roles of skill tools that only read. The other skill tools have effects, like all tools of the
 * host.
 */
const readingRoles: ReadonlySet<unknown> = new Set([
  'load',
  'search',
  'unload',
  'readFile',
  'loadResource',
  'loadAsset',
  'list',
  'listResources',
  'listAssets',
]);

/** Options of {@link ChatWriter.take}. */
export interface ChatWriterOptions {
  readonly store: ChatStore;
  readonly leaseMs: number;
  /** Is told that an outcome could not be written. */
  readonly onError: (error: unknown, key: ChatKey) => void;
}

/**
 * The one who writes a conversation, and the ledger of its calls. Its changes follow each other;
 * the first that fails ends the turn.
 */
export class ChatWriter {
  /** Aborts when the conversation is lost, or somebody asks to stop. */
  readonly ending: AbortController = new AbortController();
  readonly id: string;
  readonly #options: ChatWriterOptions;
  readonly #key: ChatKey;
  /** Positions of messages, by id. */
  readonly #positions: Map<string, number>;
  readonly #calls: Map<string, StartedCall>;
  readonly #outcomes: Map<string, CallOutcome>;
  #nextPosition: number;
  #events: number;
  #revision: number;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(options: ChatWriterOptions, key: ChatKey, id: string, snapshot: ChatSnapshot) {
    this.#options = options;
    this.#key = key;
    this.id = id;
    this.#positions = new Map(snapshot.messages.map((message, index) => [message.id, index]));
    this.#nextPosition = snapshot.messages.length;
    this.#calls = new Map(snapshot.calls.map((call) => [call.id, call]));
    this.#outcomes = new Map(snapshot.outcomes);
    this.#events = snapshot.events.length;
    this.#revision = snapshot.revision;
  }

  /** `'busy'` while another one writes. */
  static async take(options: ChatWriterOptions, key: ChatKey): Promise<{ writer: ChatWriter; snapshot: ChatSnapshot } | 'busy'> {
    const id = crypto.randomUUID();
    const snapshot = await options.store.take(key, id, options.leaseMs);
    return snapshot === 'busy' ? 'busy' : { writer: new ChatWriter(options, key, id, snapshot), snapshot };
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

  /**
   * Tools whose calls are written down: that they began, before they run, and how they ended. A
   * call that cannot be written down does not run. Tools that only read stay as they are.
   *
   * @param message id of the message that the calls belong to
   * @param errorText what a page and a later turn read of an error
   * @param forks whether a load may run an agent, which calls tools
   */
  ledger(tools: ToolSet, message: string, errorText: (error: unknown) => string, forks: boolean): ToolSet {
    const reads = ({ execute, metadata }: ToolSet[string]): boolean => {
      const role = (metadata?.['repertoire'] as { readonly role?: unknown } | undefined)?.role;
      return execute === undefined || (readingRoles.has(role) && !(forks && role === 'load'));
    };
    return Object.fromEntries(
      Object.entries(tools).map(([name, tool]) => [name, reads(tool) ? tool : this.#ledgered(name, tool, message, errorText)]),
    );
  }

  #ledgered(name: string, tool: ToolSet[string], message: string, errorText: (error: unknown) => string): ToolSet[string] {
    return aroundExecute(tool, {
      before: async (input, { toolCallId: id, abortSignal }) => {
        abortSignal?.throwIfAborted();
        if (this.#calls.has(id)) throw new SkillError('conflict', ranAlreadyText(name));
        const call: StartedCall = { id, tool: name, input, message, dynamic: tool.type === 'dynamic' };
        this.#calls.set(id, call);
        await this.#write({ started: { position: this.#calls.size - 1, call } });
        if (abortSignal?.aborted !== true) return;
        await this.#end(id, { error: notRunText(name) });
        throw abortSignal.reason as Error;
      },
      failed: async (error, { toolCallId, abortSignal }) => {
        // What was stopped in the middle may have happened.
        if (abortSignal?.aborted !== true) await this.#end(toolCallId, { error: errorText(error) });
      },
      ended: (output, { toolCallId }) => this.#end(toolCallId, { output }),
    });
  }

  /**
   * What happened, happened: where it cannot be written, this turn still knows it, and a later one
   * reads it in the message, or that it is unknown.
   */
  async #end(call: string, outcome: CallOutcome): Promise<void> {
    this.#outcomes.set(call, outcome);
    await this.#options.store.end(this.#key, call, outcome).catch((error: unknown) => this.#options.onError(error, this.#key));
  }

  async remove(): Promise<void> {
    await this.#options.store.remove(this.#key, this.id);
  }

  /**
   * Keeps the conversation while the turn runs, and hands chunks to readers on other machines.
   *
   * @param chunks all chunks so far
   * @returns ends it
   */
  keep(chunks: readonly unknown[]): () => Promise<void> {
    const { store, leaseMs } = this.#options;
    const everyMs = Math.min(1000, leaseMs / 4);
    let sent = 0;
    let heldAt = Date.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let beating = Promise.resolve();
    const beat = async (): Promise<void> => {
      const from = sent;
      const texts = chunks.slice(from).map((chunk) => JSON.stringify(chunk));
      try {
        const is = await store.beat(this.#key, this.id, leaseMs, { from, texts });
        sent = from + texts.length;
        heldAt = Date.now();
        if (is === 'lost') this.#lose(new SkillError('conflict', lostText));
        if (is === 'stopping') this.ending.abort(new Error('The answer was stopped.'));
      } catch (error) {
        // Once the time is over, another one may write.
        if (Date.now() - heldAt > leaseMs) this.#lose(error);
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
      if (!(await this.#options.store.write(this.#key, this.id, this.#revision, change))) throw new SkillError('conflict', lostText);
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
