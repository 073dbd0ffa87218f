import type { StructuredToolInterface } from '@langchain/core/tools';

/** What one skill brought to one conversation. */
export interface KeptTools {
  readonly tools: Promise<readonly StructuredToolInterface[]>;
  /** Names of the tools, as soon as they are known. */
  readonly names: Set<string>;
  readonly close: () => Promise<void>;
}

/** What skills brought, by conversation and skill; nothing in it is shared between two conversations. */
export class KeptToolsByConversation {
  readonly #kept = new Map<string, Map<string, KeptTools>>();

  get(conversation: string, skill: string): KeptTools | undefined {
    return this.#kept.get(conversation)?.get(skill);
  }

  set(conversation: string, skill: string, kept: KeptTools): void {
    const skills = this.#kept.get(conversation) ?? new Map<string, KeptTools>();
    this.#kept.set(conversation, skills.set(skill, kept));
  }

  /** Names of all tools of a conversation. */
  names(conversation: string): string[] {
    return [...(this.#kept.get(conversation)?.values() ?? [])].flatMap(({ names }) => [...names]);
  }

  /** Takes out what is to be closed. */
  take(conversation: string, skill?: string): KeptTools[] {
    const skills = this.#kept.get(conversation);
    if (skills === undefined) return [];
    const taken = skill === undefined ? [...skills.values()] : [skills.get(skill)].filter((entry) => entry !== undefined);
    if (skill === undefined) skills.clear();
    else skills.delete(skill);
    if (skills.size === 0) this.#kept.delete(conversation);
    return taken;
  }

  takeAll(): KeptTools[] {
    return [...this.#kept.keys()].flatMap((conversation) => this.take(conversation));
  }
}
