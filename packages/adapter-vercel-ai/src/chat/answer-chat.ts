import { emptySkillState, SkillError, type SkillEvent } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/adapter';
import { tooManyQuestionsText } from '@repertoire/skills-core/internal';
import { convertToModelMessages, createUIMessageStream, isStepCount, streamText, toUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import type { AiSdkOwnApproval, AiSdkToolApproval } from '../ai-sdk-skills-options.ts';
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

/** Runs the model on a conversation. The stream ends when the turn has ended. */
export async function answerChat<Context>(
  options: SkillChatOptions<Context>,
  { key, request, writer, messages, id, events, openQuestions, onMessage, onStep }: ChatTurn,
): Promise<ReadableStream<UIMessageChunk>> {
  const { skillset, model, tools, instructions, toolApproval = {}, skills: more, settings, onError } = options;
  const { signal } = writer.ending;
  const errorText = (error: unknown): string => {
    // What failed inside of a tool is the host's to hear. Why a gate refused may be shown.
    if (SkillError.isInstance(error)) return error.message;
    if (!signal.aborted) onError?.(error, key);
    return 'It failed.';
  };
  const state = {
    current: events.reduce((before, event) => reduceSkillState(before, event), emptySkillState),
    append: (news: readonly SkillEvent[]) => writer.append(news),
  };
  const context = 'context' in options ? { context: await options.context?.(request, key.person) } : {};
  const opened = aiSdkSkills as (source: typeof skillset, options: object) => ReturnType<typeof aiSdkSkills>;
  const skills = await opened(skillset, { ...more, ...context, tools, state, signal });
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
        const { tools: all, toolApproval: approval, ...rest } = skills.agentSettings({ instructions, toolApproval: toolApproval as AiSdkOwnApproval });
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
        for await (const chunk of toUIMessageStream({ stream: result.stream, tools: all, sendStart: false, sendFinish: false, onError: errorText }))
{
          hasFailed ||= chunk.type === 'error';
          stream.write(chunk);
        }
        if (!hasFailed) stream.write(skillsDataChunk(state.current));
        stream.write({ type: 'finish' });
      } finally {
        await skills.close();
      }
    },
  });
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
