import { aiSdkSkills, type AiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { emptySkillState, type SkillEvent, type SkillState } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/adapter';
import type { Shop, ShopTools } from './skills.ts';

/**
 * What the server keeps of conversations: the events of their skills, in order. In a real
 * application, append-only rows of a database; two concurrent requests of one conversation then
 * lose nothing.
 */
export type Conversations = Map<string, SkillEvent[]>;

/** What every route of the chat works with. */
export interface ChatHost {
  readonly shop: Shop;
  readonly conversations: Conversations;
  readonly signal: AbortSignal;
}

/** The skills of one conversation, with the state that the server keeps of it. */
export interface OpenConversation {
  readonly skills: AiSdkSkills<ShopTools>;
  readonly state: { readonly current: SkillState };
}

export async function openConversation(id: string, { shop, conversations, signal }: ChatHost): Promise<OpenConversation> {
  const events = conversations.get(id) ?? [];
  conversations.set(id, events);
  const state = {
    current: events.reduce((before, event) => reduceSkillState(before, event), emptySkillState),
    append: (news: readonly SkillEvent[]) => void events.push(...news),
  };
  return { skills: await aiSdkSkills(shop.skillset, { tools: shop.tools, state, signal }), state };
}
