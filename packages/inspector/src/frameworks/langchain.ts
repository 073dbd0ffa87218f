import { BaseChatModel, type BaseChatModelCallOptions, type BindToolsInput } from '@langchain/core/language_models/chat_models';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import { AIMessage, type AIMessageChunk, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { createAgent } from 'langchain';
import type { RecordedTool } from '../recording/recording.ts';
import { conversationRuns, type PlayedAnswer } from '../replay/conversation-runs.ts';
import { turnPlayer, type TurnPlayer } from '../replay/turn-player.ts';
import type { FrameworkReplay, ReplayInput } from './framework-replay.ts';
import type { ModelRequest } from './model-request.ts';

interface CallOptions extends BaseChatModelCallOptions {
  readonly tools?: readonly BindToolsInput[];
}

/** What LangChain sends to a model, as texts, without ids of messages. */
export function langChainRequest(messages: readonly BaseMessage[], tools: readonly BindToolsInput[]): ModelRequest {
  return {
    system: messages.flatMap((message) => (message.type === 'system' ? [systemText(message)] : [])).join('\n\n'),
    messages: messages.flatMap((message) => (message.type === 'system' ? [] : [messageJson(message)])),
    tools: tools.map((each) =>
      JSON.stringify('type' in each && each['type'] === 'function' ? each : convertToOpenAITool(each as StructuredToolInterface)),
    ),
  };
}

/** Plays a recording through LangChain: only the model and the host's tools are stand-ins. */
export async function replayLangChain({ recording, skillset, settings, tools, signal }: ReplayInput): Promise<FrameworkReplay> {
  const player = turnPlayer(recording, 'langgraph');
  const { isOwn } = player;
  const model = new RecordedChatModel((messages, bound) => {
    noteAnswers(messages, player);
    return player.answer(langChainRequest(messages, bound));
  });
  const agent = createAgent({
    model,
    ...(settings.instructions !== '' && { systemPrompt: settings.instructions }),
    middleware: [skillsMiddleware(skillset, { tools: tools.map((each) => standIn(each, player)), gate: settings.gate })],
  });
  // The state goes from run to run by hand: a checkpointer would write all of it at every step.
  let state: { readonly messages: readonly BaseMessage[] } = { messages: [] };
  for (const run of conversationRuns(recording)) {
    player.begin(run);
    const said = run.user.map(({ text, raw }) => new HumanMessage({ content: (isOwn ? (raw ?? text) : text) as string }));
    state = await agent.invoke(
      { ...state, messages: [...state.messages, ...said] },
      { configurable: { thread_id: 'replay' }, recursionLimit: 10 * (run.answers.length + 2), ...(signal !== undefined && { signal }) },
    );
  }
  return player;
}

class RecordedChatModel extends BaseChatModel<CallOptions> {
  readonly #play: (messages: readonly BaseMessage[], tools: readonly BindToolsInput[]) => PlayedAnswer | null;

  constructor(play: (messages: readonly BaseMessage[], tools: readonly BindToolsInput[]) => PlayedAnswer | null) {
    super({});
    this.#play = play;
  }

  override _llmType(): string {
    return 'recording';
  }

  override bindTools(
    tools: BindToolsInput[],
    options?: Partial<CallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, CallOptions> {
    return this.withConfig({ ...options, tools });
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const played = this.#play(messages, options.tools ?? []);
    const parts = played?.answer.parts ?? [];
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    const message = new AIMessage({
      content: text,
      tool_calls: parts.flatMap((part) =>
        part.type === 'call'
          ? [{ type: 'tool_call' as const, id: part.id, name: part.tool, args: (part.input ?? {}) as Record<string, unknown> }]
          : [],
      ),
    });
    return { generations: [{ text, message }] };
  }
}

function standIn({ name, description, inputSchema }: RecordedTool, { isOwn, resultOf, outputOf }: TurnPlayer): StructuredToolInterface {
  return tool(
    async (_input: unknown, { toolCallId = '' }: { readonly toolCallId?: string }) => {
      const result = resultOf(toolCallId);
      return new ToolMessage({
        content: ((isOwn ? result?.raw : undefined) ?? outputOf(toolCallId)) as string,
        tool_call_id: toolCallId,
        name,
        status: result?.isFailed === true ? 'error' : 'success',
      });
    },
    { name, description, schema: structuredClone(inputSchema) as never },
  ) as unknown as StructuredToolInterface;
}

/** The answers of the tools stand in the messages of the next request. */
function noteAnswers(messages: readonly BaseMessage[], player: TurnPlayer): void {
  const last = messages.findLastIndex((message) => message.type === 'ai');
  for (const message of messages.slice(last + 1)) if (ToolMessage.isInstance(message)) player.note(message.tool_call_id, message.text);
}

function systemText({ content }: BaseMessage): string {
  return typeof content === 'string' ? content : content.map((block) => String((block as { readonly text?: unknown }).text ?? '')).join('');
}

function messageJson(message: BaseMessage): string {
  return JSON.stringify({
    role: message.type,
    content: message.content,
    ...(AIMessage.isInstance(message) && { tool_calls: (message.tool_calls ?? []).map(({ id, name, args }) => ({ id, name, args })) }),
    ...(ToolMessage.isInstance(message) && { tool_call_id: message.tool_call_id, name: message.name, status: message.status }),
  });
}
