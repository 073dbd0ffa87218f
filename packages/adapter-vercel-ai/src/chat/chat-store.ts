import type { SkillEvent } from '@repertoire/skills-core';
import type { UIMessage } from 'ai';

/**
 * Whose conversation, and which of them. Its name comes from the page, so it means nothing without
 * the person.
 */
export interface ChatKey {
  readonly person: string;
  readonly chat: string;
}

/** A call of a tool that has effects, written before the tool runs. */
export interface StartedCall {
  /** Id of the call, as the model named it. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Id of the message that the call belongs to. */
  readonly message: string;
  /** Whether the message shows the call as `dynamic-tool`. */
  readonly dynamic: boolean;
}

/** How a call ended. It is written once, after the tool ran. */
export type CallOutcome = { readonly output: unknown } | { readonly error: string };

/** What is kept of a conversation, as of one revision. */
export interface ChatSnapshot {
  readonly revision: number;
  readonly title: string;
  readonly messages: readonly UIMessage[];
  readonly events: readonly SkillEvent[];
  readonly calls: readonly StartedCall[];
  /**
   * Outcomes by the id of their call. A call that is missing here has not ended, or nobody knows.
   */
  readonly outcomes: ReadonlyMap<string, CallOutcome>;
  /** Who writes now; `undefined` if nobody does. */
  readonly writer: string | undefined;
}

/** What a writer changes, in one step. */
export interface ChatChange {
  readonly title?: string | undefined;
  /** Messages with their position from 0: added, or replacing the one with their id. */
  readonly messages?: readonly { readonly position: number; readonly message: UIMessage }[] | undefined;
  /** Ids of messages to remove. */
  readonly removed?: readonly string[] | undefined;
  /** Events with their position from 0. */
  readonly events?: readonly { readonly position: number; readonly event: SkillEvent }[] | undefined;
  /** A call that is about to run, with its position from 0 among the calls of the conversation. */
  readonly started?: { readonly position: number; readonly call: StartedCall } | undefined;
  /** Ends the turn: the next writer need not wait. Chunks of the turn go. @default false */
  readonly release?: boolean | undefined;
}

/** A conversation in a list. */
export interface ChatSummary {
  readonly id: string;
  readonly title: string;
  /** When it was written last, in milliseconds since 1970. */
  readonly updatedAt: number;
}

/**
 * Where conversations are kept. A conversation has one writer at a time: `take` gives it away for
 * some time, by the clock of the store, and every change names the writer and the revision that it
 * read. Whoever lost the conversation can change nothing of it any more.
 */
export interface ChatStore {
  /**
   * Makes `writer` the writer for `forMs`, also of a conversation that is new, and reads it;
   * `'busy'` while another one writes.
   */
  take(key: ChatKey, writer: string, forMs: number): Promise<ChatSnapshot | 'busy'>;
  /** `undefined` if there is no such conversation. */
  read(key: ChatKey): Promise<ChatSnapshot | undefined>;
  /**
   * Changes the conversation in one step, over the revision that was read; the next revision is one
   * more. `false` if the writer is another one by now, or the revision: nothing is changed then.
   * The same change twice is one.
   */
  write(key: ChatKey, writer: string, revision: number, change: ChatChange): Promise<boolean>;
  /**
   * Writes for `forMs` more, and keeps chunks of the answer for readers on other machines, from
   * this position on.
   */
  beat(
    key: ChatKey,
    writer: string,
    forMs: number,
    chunks: { readonly from: number; readonly texts: readonly string[] },
  ): Promise<'held' | 'stopping' | 'lost'>;
  /**
   * Chunks of the answer that `writer` writes, from this position on, and whether it still does.
   */
  chunks(key: ChatKey, writer: string, from: number): Promise<{ readonly texts: readonly string[]; readonly running: boolean }>;
  /** Asks whoever writes to stop. */
  stop(key: ChatKey): Promise<void>;
  /**
   * Writes how a call ended, unless that is known. Whoever ran it may have lost the conversation:
   * what happened, happened.
   */
  end(key: ChatKey, call: string, outcome: CallOutcome): Promise<void>;
  /** Conversations of a person, the newest first. */
  list(person: string, limit: number): Promise<readonly ChatSummary[]>;
  /** Removes a conversation that `writer` has taken. */
  remove(key: ChatKey, writer: string): Promise<void>;
}
