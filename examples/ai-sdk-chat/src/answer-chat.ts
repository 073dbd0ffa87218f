import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { skillsDataChunk, type SkillUIMessage } from '@repertoire/adapter-vercel-ai/ui';
import { emptySkillState, type SkillEvent } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/adapter';
import {
  convertToModelMessages,
  createUIMessageStream,
  isStepCount,
  streamText,
  toUIMessageStream,
  type InferUIMessageChunk,
  type InferUITools,
  type LanguageModel,
} from 'ai';
import type { Shop, ShopTools } from './skills.ts';

/** A message of this chat: its tools and data parts are typed. */
export type ChatMessage = SkillUIMessage<unknown, {}, InferUITools<ShopTools>>;

/** What the page sends. None of it is trusted. */
export interface ChatRequest {
  /** Id of the conversation. In a real application, bind it to the person who is signed in. */
  readonly id: string;
  readonly messages: ChatMessage[];
}

/**
 * What the server keeps of conversations: the events of their skills, in order. In a real
 * application, append-only rows of a database; two concurrent requests of one conversation then
 * lose nothing.
 */
export type Conversations = Map<string, SkillEvent[]>;

/** Answers a message. The messages come from a browser; the state of the skills does not. */
export async function answerChat(
  { id, messages: sent }: ChatRequest,
  { shop, model, conversations, signal }: { shop: Shop; model: LanguageModel; conversations: Conversations; signal: AbortSignal },
): Promise<ReadableStream<InferUIMessageChunk<ChatMessage>>> {
  const events = conversations.get(id) ?? [];
  conversations.set(id, events);
  const state = {
    current: events.reduce((before, event) => reduceSkillState(before, event), emptySkillState),
    append: (news: readonly SkillEvent[]) => void events.push(...news),
  };
  const skills = await aiSdkSkills(shop.skillset, { tools: shop.tools, state, signal });
  const typed =
    sent
      .at(-1)
      ?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      .join('') ?? '';
  const invoked = await skills.invoke(typed, sent, { signal });
  const messages = await convertToModelMessages(sent, { tools: skills.tools, ignoreIncompleteToolCalls: true });

  return createUIMessageStream<ChatMessage>({
    async execute({ writer }) {
      writer.write({ type: 'start' });
      for (const chunk of invoked?.chunks ?? []) writer.write(chunk as InferUIMessageChunk<ChatMessage>);
      const result = streamText({
        model,
        messages: [...messages, ...(invoked?.messages ?? [])],
        stopWhen: isStepCount(20),
        abortSignal: signal,
        ...skills.agentSettings({ instructions: 'You help the customers of a shop.' }),
      });
      writer.merge(toUIMessageStream<ShopTools, ChatMessage>({ stream: result.stream, sendStart: false, sendFinish: false }));
      await result.finishReason;
      writer.write(skillsDataChunk(state.current));
      writer.write({ type: 'finish' });
    },
    onError: (error) => (error instanceof Error ? error.message : String(error)),
  });
}
