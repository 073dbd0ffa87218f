import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import {
  consumeStream,
  convertToModelMessages,
  createUIMessageStreamResponse,
  generateId,
  isStepCount,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from 'ai';
import { waitUntil } from 'cloudflare:workers';
import { chooseModel } from './choose-model.ts';
import { writeConversation, type Conversation } from './conversations.ts';
import { refund_order } from './refund-order.ts';
import { skillset } from './skillset.ts';

/** Answers a person's message with a UI message stream, and stores the result. */
export async function answerChat(conversation: Conversation, text: string, signal: AbortSignal): Promise<Response> {
  const messages: UIMessage[] = [...conversation.messages, { id: generateId(), role: 'user', parts: [{ type: 'text', text }] }];
  const skills = await aiSdkSkills(skillset, { tools: { refund_order }, signal });
  const result = streamText({
    model: chooseModel(),
    messages: await convertToModelMessages(messages, { tools: skills.tools, ignoreIncompleteToolCalls: true }),
    ...skills.agentSettings({ instructions: 'You work at the desk of a shop. Help its customers.' }),
    stopWhen: isStepCount(20),
    abortSignal: signal,
  });
  const stream = toUIMessageStream({
    stream: result.stream,
    originalMessages: messages,
    generateMessageId: generateId,
    onEnd: async ({ messages: all }) => await writeConversation(conversation, all),
  });
  return createUIMessageStreamResponse({
    stream,
    headers: { 'x-conversation': conversation.id },
    // A disconnected client may only be noticed by a failed write, also while the model thinks.
    keepAliveMs: 3000,
    // Also consumed here to its end, so that the result is stored even if the client disconnects.
    consumeSseStream: ({ stream: copy }) => waitUntil(consumeStream({ stream: copy })),
  });
}
