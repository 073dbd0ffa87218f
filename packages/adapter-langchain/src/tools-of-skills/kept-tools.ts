import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SetTimer } from '@repertoire/skills-core/internal';

/** What one skill opened for one conversation. */
export interface KeptTools {
  readonly tools: Promise<readonly StructuredToolInterface[]>;
  /** Names of the tools, as soon as they are known. */
  readonly names: Set<string>;
  readonly close: () => Promise<void>;
}

interface Conversation {
  readonly skills: Map<string, KeptTools>;
  /** Number of uses that have not ended. */
  uses: number;
  stopTimer?: (() => void) | undefined;
}

/** Open tools by conversation and skill. Idle ones are closed: a failed run may never return. */
export class KeptToolsByConversation {
  readonly #kept = new Map<string, Conversation>();
  readonly #closing = new Set<Promise<void>>();
  readonly #idleMs: number;
  readonly #setTimer: SetTimer;

  constructor(idleMs: number, setTimer: SetTimer) {
    this.#idleMs = idleMs;
    this.#setTimer = setTimer;
  }

  get(conversation: string, skill: string): KeptTools | undefined {
    return this.#kept.get(conversation)?.skills.get(skill);
  }

  set(conversation: string, skill: string, kept: KeptTools): void {
    this.#entry(conversation).skills.set(skill, kept);
  }

  /** Keeps a conversation open during the work and for the idle time after it. */
  async use<Result>(conversation: string, work: () => Promise<Result>): Promise<Result> {
    const there = this.#entry(conversation);
    there.uses += 1;
    there.stopTimer?.();
    try {
      return await work();
    } finally {
      there.uses -= 1;
      this.#rest(conversation, there);
    }
  }

  /** Names of all tools of a conversation. */
  names(conversation: string): string[] {
    return [...(this.#kept.get(conversation)?.skills.values() ?? [])].flatMap(({ names }) => [...names]);
  }

  /** Removes and returns the entries to close. */
  take(conversation: string, skill?: string): KeptTools[] {
    const there = this.#kept.get(conversation);
    if (there === undefined) return [];
    const { skills } = there;
    const taken = skill === undefined ? [...skills.values()] : [skills.get(skill)].filter((entry) => entry !== undefined);
    if (skill === undefined) skills.clear();
    else skills.delete(skill);
    if (skills.size === 0) this.#rest(conversation, there);
    return taken;
  }

  /** Resolves when all idle entries are closed. */
  async closed(): Promise<void> {
    await Promise.allSettled(this.#closing);
  }

  takeAll(): KeptTools[] {
    return [...this.#kept.keys()].flatMap((conversation) => this.take(conversation));
  }

  #close(close: KeptTools['close']): void {
    const closing = close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #entry(conversation: string): Conversation {
    const there = this.#kept.get(conversation) ?? { skills: new Map<string, KeptTools>(), uses: 0 };
    this.#kept.set(conversation, there);
    return there;
  }

  /** Forgets a conversation without entries. Otherwise starts the idle timer, if nobody uses it. */
  #rest(conversation: string, there: Conversation): void {
    there.stopTimer?.();
    there.stopTimer = undefined;
    if (there.uses > 0) return;
    if (there.skills.size === 0) this.#kept.delete(conversation);
    else if (this.#idleMs !== Number.POSITIVE_INFINITY) {
      there.stopTimer = this.#setTimer(() => {
        for (const { close } of this.take(conversation)) this.#close(close);
      }, this.#idleMs);
    }
  }
}
