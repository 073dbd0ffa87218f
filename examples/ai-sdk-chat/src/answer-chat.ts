import { skillsDataChunk, type SkillUIMessage } from '@repertoire/adapter-vercel-ai/ui';
import { SkillError, type SkillQuestion } from '@repertoire/skills-core';
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
import { openConversation, type ChatHost } from './open-conversation.ts';
import type { ShopTools } from './skills.ts';

/** A message of this chat: its tools and data parts are typed. */
export type ChatMessage = SkillUIMessage<unknown, { question: SkillQuestion }, InferUITools<ShopTools>>;

/** What the page sends. None of it is trusted. */
export interface ChatRequest {
  /** Id of the conversation. In a real application, bind it to the person who is signed in. */
  readonly id: string;
  readonly messages: ChatMessage[];
}

/** Answers a message. The messages come from a browser; the state of the skills does not. */
export async function answerChat(
  { id, messages: sent }: ChatRequest,
  { model, ...host }: ChatHost & { readonly model: LanguageModel },
): Promise<ReadableStream<InferUIMessageChunk<ChatMessage>>> {
  const { signal } = host;
  const { skills, state } = await openConversation(id, host);
  const last = sent.at(-1);
  // After an answer to a question, the last message is the one of the assistant that goes on.
  const typed =
    (last?.role === 'user' ? last : undefined)?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('') ?? '';
  const invoked = await skills.invoke(typed, sent, { signal });
  const messages = await convertToModelMessages(sent, { tools: skills.tools, ignoreIncompleteToolCalls: true });

  return createUIMessageStream<ChatMessage>({
    // An answer that goes on keeps its id.
    originalMessages: sent,
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
      writer.merge(
        toUIMessageStream<ShopTools, ChatMessage>({
          stream: result.stream,
          sendStart: false,
          sendFinish: false,
          // Why a gate refused may be shown. What failed inside of a tool is nobody's business.
          onError: (error) => (SkillError.isInstance(error) ? error.message : 'It failed.'),
        }),
      );
      // What a person must approve: the page shows a card with the question beside the call.
      const history = [...messages, ...(invoked?.messages ?? []), ...(await result.responseMessages)];
      for (const part of await result.content) {
        if (part.type !== 'tool-approval-request') continue;
        const question = await skills.question(part.toolCall, history);
        if (question !== undefined) writer.write({ type: 'data-question', id: part.toolCall.toolCallId, data: question });
      }
      writer.write(skillsDataChunk(state.current));
      writer.write({ type: 'finish' });
    },
    onError: (error) => (error instanceof Error ? error.message : String(error)),
  });
}
