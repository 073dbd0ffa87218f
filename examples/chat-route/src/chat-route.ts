import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { emptySkillState, type SkillEvent, type Skillset } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/adapter';
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  generateId,
  isStepCount,
  streamText,
  toUIMessageStream,
  type LanguageModel,
  type ToolApprovalConfiguration,
  type ToolSet,
  type UIMessage,
} from 'ai';
import type { ChatStore } from './chat-store.ts';
import { readLastMessage } from './last-message.ts';
import { LiveStream } from './live-stream.ts';

export interface ChatRouteOptions {
  readonly skillset: Skillset;
  readonly tools: ToolSet;
  readonly model: LanguageModel;
  readonly store: ChatStore;
  readonly instructions: string;
  /** Which calls a person must approve. */
  readonly toolApproval: ToolApprovalConfiguration<ToolSet, Record<string, unknown>>;
  /** At least 32 random characters, the same on every machine. It signs approvals, so that only what was asked can be answered. */
  readonly approvalSecret: string;
}

/** The three requests of a chat. `conversation` is an id that the server has bound to the person who is signed in. */
export interface ChatRoute {
  /** Answers a message, or goes on after a person approved or denied a call. */
  post(request: Request, conversation: string): Promise<Response>;
  /** The answer that is being written, for a page that was loaded again; 204 if there is none. */
  resume(conversation: string): Response;
  /** Stops the answer. A page that is closed does not. */
  stop(conversation: string): Response;
}

export function chatRoute(options: ChatRouteOptions): ChatRoute {
  const { skillset, tools, model, store, instructions, toolApproval, approvalSecret } = options;
  if (approvalSecret.length < 32) throw new Error('approvalSecret needs at least 32 characters.');
  const live = new Map<string, { readonly stream: LiveStream; readonly stopping: AbortController }>();

  async function answer(messages: UIMessage[], conversation: string, signal: AbortSignal) {
    const events = await store.skillEvents(conversation);
    const state = {
      current: events.reduce((before, event) => reduceSkillState(before, event), emptySkillState),
      append: (news: readonly SkillEvent[]) => store.appendSkillEvents(conversation, news),
    };
    const skills = await aiSdkSkills(skillset, { tools, state, signal });
    const result = streamText({
      model,
      messages: await convertToModelMessages(messages, { tools: skills.tools, ignoreIncompleteToolCalls: true }),
      ...skills.agentSettings({ instructions, toolApproval }),
      experimental_toolApprovalSecret: approvalSecret,
      stopWhen: isStepCount(20),
      abortSignal: signal,
    });
    return toUIMessageStream({
      stream: result.stream,
      tools: skills.tools,
      originalMessages: messages,
      generateMessageId: generateId,
      // After each step, so that a crash loses no step that ended, and at the end, also if it was stopped.
      onStepEnd: ({ responseMessage }) => store.put(conversation, responseMessage),
      onEnd: ({ responseMessage }) => store.put(conversation, responseMessage),
    });
  }

  return {
    async post(request, conversation) {
      if (live.has(conversation)) return new Response('An answer is being written.', { status: 409 });
      const stopping = new AbortController();
      const stream = new LiveStream();
      // Taken before anything is awaited: a second request at once is refused.
      live.set(conversation, { stream, stopping });
      try {
        const stored = await store.messages(conversation);
        const last = await readLastMessage(request, stored);
        if (last.kind === 'refused') {
          live.delete(conversation);
          return new Response(last.reason, { status: last.status });
        }
        await store.put(conversation, last.message);
        const messages = last.kind === 'said' ? [...stored, last.message] : [...stored.slice(0, -1), last.message];
        const source = await answer(messages, conversation, stopping.signal);
        // The answer is read to its end here, so a browser that goes away stops nothing and loses nothing.
        void stream
          .follow(source)
          .catch(() => undefined)
          .finally(() => live.delete(conversation));
        return createUIMessageStreamResponse({ stream: stream.read() });
      } catch (error) {
        live.delete(conversation);
        throw error;
      }
    },
    resume(conversation) {
      const running = live.get(conversation);
      if (running === undefined) return new Response(null, { status: 204 });
      return createUIMessageStreamResponse({ stream: running.stream.read() });
    },
    stop(conversation) {
      live.get(conversation)?.stopping.abort(new Error('The person stopped the answer.'));
      return new Response(null, { status: 204 });
    },
  };
}
