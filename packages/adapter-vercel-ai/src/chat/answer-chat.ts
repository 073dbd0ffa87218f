import { emptySkillState, SkillError, type SkillEvent, type SkillQuestion, type SkillState } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/adapter';
import { tooManyQuestionsText } from '@repertoire/skills-core/internal';
import {
  convertToModelMessages,
  createUIMessageStream,
  isStepCount,
  streamText,
  toUIMessageStream,
  type UIMessage,
  type ModelMessage,
  type ToolSet,
  type UIMessageChunk,
} from 'ai';
import type { AiSdkSkills, AiSdkToolApproval } from '../ai-sdk-skills-options.ts';
import { aiSdkSkills } from '../ai-sdk-skills.ts';
import { skillsDataChunk } from '../ui/skill-data.ts';
import { withLedger } from './call-ledger.ts';
import type { ChatKey } from './chat-store.ts';
import type { ChatWriter } from './chat-writer.ts';
import type { SkillChatOptions } from './skill-chat.ts';

/** A turn that is about to run. */
export interface ChatTurn {
  readonly key: ChatKey;
  readonly request: Request;
  readonly writer: ChatWriter;
  /** All messages, settled. */
  readonly messages: readonly UIMessage[];
  /** Id of the message that is written. */
  readonly id: string;
  readonly events: readonly SkillEvent[];
  readonly openQuestions: number;
  /** Called with the message after each step, and at its end. */
  readonly onMessage: (message: UIMessage) => Promise<void> | void;
  readonly onStep: (message: UIMessage) => Promise<void>;
}

/** The skills of a conversation, with what it has loaded. */
export async function openChatSkills<Context>(
  options: SkillChatOptions<Context>,
  { key, request, writer, events }: Pick<ChatTurn, 'key' | 'request' | 'writer' | 'events'>,
): Promise<{ readonly skills: AiSdkSkills; readonly state: { readonly current: SkillState } }> {
  const { skillset, tools, skills: more } = options;
  const state = {
    current: events.reduce((before, event) => reduceSkillState(before, event), emptySkillState),
    append: (news: readonly SkillEvent[]) => writer.append(news),
  };
  const context = options.context === undefined ? {} : { context: await options.context(request, key.person) };
  // Whether there is a context is known to the types of the host, and not to these.
  const open = aiSdkSkills as (source: typeof skillset, options: object) => Promise<AiSdkSkills>;
  const conversation = JSON.stringify([key.person, key.chat]);
  return { skills: await open(skillset, { ...more, ...context, conversation, tools, state, signal: writer.ending.signal }), state };
}

/** Runs the model on a conversation. The stream ends when the turn has ended. */
export async function answerChat<Context>(
  options: SkillChatOptions<Context>,
  { key, request, writer, messages, id, events, openQuestions, onMessage, onStep }: ChatTurn,
): Promise<ReadableStream<UIMessageChunk>> {
  const { model, instructions, toolApproval = {}, settings, onError } = options;
  const { signal } = writer.ending;
  const errorText = (error: unknown): string => {
    // What failed inside of a tool is the host's to hear. Why a gate refused may be shown.
    if (SkillError.isInstance(error)) return error.message;
    if (!signal.aborted) onError?.(error, key);
    return 'It failed.';
  };
  const { skills, state } = await openChatSkills(options, { key, request, writer, events });
  const said = messages.at(-1);
  const typed = said?.role === 'user' ? said.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') : '';

  return createUIMessageStream({
    originalMessages: [...messages],
    generateId: () => id,
    onError: errorText,
    onStepEnd: ({ responseMessage }) => onStep(responseMessage),
    onEnd: ({ responseMessage }) => onMessage(responseMessage),
    async execute({ writer: stream }) {
      try {
        stream.write({ type: 'start', messageId: id });
        const history = await convertToModelMessages([...messages], { tools: skills.tools, ignoreIncompleteToolCalls: true });
        const invoked = typed === '' ? null : await skills.invoke(typed, history.slice(0, -1), { signal });
        for (const chunk of invoked?.chunks ?? []) stream.write(chunk);
        const { tools: given, toolApproval: approval, ...rest } = skills.agentSettings({ instructions, toolApproval });
        const all: ToolSet = given;
        const result = streamText({
          stopWhen: isStepCount(20),
          ...settings,
          ...rest,
          model: typeof model === 'function' ? await model(request, key.person) : model,
          messages: [...history, ...(invoked?.messages ?? [])],
          tools: withLedger(all, { key, writer, message: id, errorText }),
          ...(approval !== undefined && { toolApproval: atMost(openQuestions, approval) }),
          abortSignal: signal,
          onError: () => undefined,
        });
        let hasFailed = false;
        const waiting: string[] = [];
        for await (const chunk of toUIMessageStream({
          stream: result.stream,
          tools: all,
          sendStart: false,
          sendFinish: false,
          onError: errorText,
        })) {
          hasFailed ||= chunk.type === 'error';
          if (chunk.type === 'tool-approval-request') waiting.push(chunk.toolCallId);
          stream.write(chunk);
        }
        for (const call of waiting) {
          const question = await questionOf(skills, call, [...history, ...(invoked?.messages ?? []), ...(await result.responseMessages)]);
          if (question !== undefined) stream.write({ type: 'data-question', id: call, data: question });
        }
        if (!hasFailed) stream.write(skillsDataChunk(state.current));
        stream.write({ type: 'finish' });
      } finally {
        await skills.close();
      }
    },
  });
}

/** What a person is asked about a call that waits; `undefined` if only the host asks. */
async function questionOf(skills: AiSdkSkills, id: string, history: readonly ModelMessage[]): Promise<SkillQuestion | undefined> {
  for (const { role, content } of history.toReversed()) {
    const call =
      role === 'assistant' && typeof content !== 'string' && content.find((part) => part.type === 'tool-call' && part.toolCallId === id);
    if (typeof call === 'object' && call.type === 'tool-call') return await skills.question(call, history);
  }
  return undefined;
}

/** Asks a person about so many calls at once, and refuses the others. */
function atMost(most: number, approval: AiSdkToolApproval): AiSdkToolApproval {
  const asked = new Set<string>();
  return async (call) => {
    const status = await approval(call);
    if ((typeof status === 'string' ? status : status?.type) !== 'user-approval') return status;
    const { toolCallId, toolName } = call.toolCall;
    if (!asked.has(toolCallId) && asked.size >= most) return { type: 'denied', reason: tooManyQuestionsText(toolName, most) };
    asked.add(toolCallId);
    return status;
  };
}
