import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SetTimer } from '@repertoire/skills-core/provider';

/** What one skill brought to one conversation. */
export interface KeptTools {
  readonly tools: Promise<readonly StructuredToolInterface[]>;
  /** Names of the tools, as soon as they are known. */
  readonly names: Set<string>;
  readonly close: () => Promise<void>;
}

interface Conversation {
  readonly skills: Map<string, KeptTools>;
  /** How many uses have not ended. */
  uses: number;
  stopTimer?: (() => void) | undefined;
}

/**
 * What skills brought, by conversation and skill; nothing in it is shared between two conversations. What nobody used for a while is closed:
 * a run that failed or that waits for a person may never come back.
 */
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

  /** Keeps a conversation open while the work lasts, and for the idle time after it. */
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

  /** Takes out what is to be closed. */
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

  /** Resolves when nothing that was idle is still being closed. */
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

  /** Forgets a conversation that nothing is kept for, and begins to wait if nobody uses it. */
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
