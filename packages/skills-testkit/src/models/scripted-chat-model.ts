import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { BaseChatModel, type BaseChatModelCallOptions, type BindToolsInput } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import { abortable } from '@repertoire/skills-core/provider';
import { playTurn, textPieces, type ModelScript, type PlayedTurn, type ScriptedFinishReason } from '../scripted-turn.ts';

/** Options of a call of {@link ScriptedChatModel}. */
export interface ScriptedChatModelCallOptions extends BaseChatModelCallOptions {
  /** Tools as they were bound. */
  readonly tools?: readonly BindToolsInput[];
}

/** One call of the model: what LangChain sent it. */
export interface ScriptedChatModelCall {
  readonly messages: readonly BaseMessage[];
  /** Tools that were bound for this call, as they were given to `bindTools`. */
  readonly tools: readonly BindToolsInput[];
  /** Their names, in order. */
  readonly toolNames: readonly string[];
  /** Every other option of the call. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether the answer was streamed. */
  readonly streaming: boolean;
}

// The same for every turn, so that totals are predictable.
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };

const finishReasons: Readonly<Record<ScriptedFinishReason, string>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
  error: 'error',
  other: 'other',
};

/** A chat model that answers from a script and records its calls. See {@link scriptedModel}. */
export class ScriptedChatModel extends BaseChatModel<ScriptedChatModelCallOptions> {
  /** Every call so far. */
  readonly calls: ScriptedChatModelCall[] = [];
  readonly #script: ModelScript<ScriptedChatModelCall>;

  constructor(script: ModelScript<ScriptedChatModelCall>) {
    super({});
    this.#script = script;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(
    tools: BindToolsInput[],
    options?: Partial<ScriptedChatModelCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ScriptedChatModelCallOptions> {
    return this.withConfig({ ...options, tools });
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const turn = await this.#play(messages, options, false);
    if (turn.failure !== null) throw turn.failure.error;
    const message = new AIMessage({
      content: turn.text,
      tool_calls: turn.toolCalls.map(({ toolCallId, toolName, input }) => ({
        type: 'tool_call',
        id: toolCallId,
        name: toolName,
        args: input as Record<string, unknown>,
      })),
      response_metadata: { finish_reason: finishReasons[turn.finishReason] },
    });
    return { generations: [{ text: turn.text, message: withUsage(message) }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const turn = await this.#play(messages, options, true);
    for (const message of chunksOf(turn)) {
      options.signal?.throwIfAborted();
      const chunk = new ChatGenerationChunk({ text: message.text, message });
      yield chunk;
      await run?.handleLLMNewToken(message.text, undefined, undefined, undefined, undefined, { chunk });
    }
    if (turn.failure !== null) throw turn.failure.error;
  }

  async #play(
    messages: BaseMessage[],
    { signal, tools = [], ...options }: this['ParsedCallOptions'],
    streaming: boolean,
  ): Promise<PlayedTurn> {
    signal?.throwIfAborted();
    const call: ScriptedChatModelCall = { messages: [...messages], tools, toolNames: tools.map(nameOf), options, streaming };
    // Counted before the script is awaited, so that concurrent calls take different turns.
    const index = this.calls.push(call) - 1;
    return abortable(() => playTurn(this.#script, call, index), signal);
  }
}

/**
 * A chat model for tests with LangChain and LangGraph. Each call takes the next turn of the script.
 * Ids, usage and streamed pieces are the same in every run. Models created by `bindTools` share
 * script and `calls` with the original model.
 *
 * @throws {SkillError} `invalid-options`, as a rejection of the call, if the script has no more
 *   turns
 * @example
 * ```ts
 * import { scriptedModel } from '@repertoire/skills-testkit/langchain';
 *
 * const model = scriptedModel([{ toolCalls: [{ toolName: 'load_skill', input: { name: 'haiku' } }] }, { text: 'Done.' }]);
 * const { tool_calls = [] } = await model.invoke('Write a haiku.');
 * export const called = tool_calls.map(({ name, id }) => [name, id]); // [['load_skill', 'call-1-1']]
 * ```
 */
export function scriptedModel(script: ModelScript<ScriptedChatModelCall>): ScriptedChatModel {
  return new ScriptedChatModel(script);
}

function* chunksOf(turn: PlayedTurn): Generator<AIMessageChunk> {
  for (const content of textPieces(turn.text)) yield new AIMessageChunk({ content });
  for (const [index, { toolCallId, toolName, input }] of turn.toolCalls.entries()) {
    yield new AIMessageChunk({
      content: '',
      tool_call_chunks: [{ type: 'tool_call_chunk', index, id: toolCallId, name: toolName, args: JSON.stringify(input) }],
    });
  }
  if (turn.failure !== null) return;
  yield withUsage(new AIMessageChunk({ content: '', response_metadata: { finish_reason: finishReasons[turn.finishReason] } }));
}

/** Set afterwards: under `exactOptionalPropertyTypes` the constructor would store `undefined`. */
function withUsage<Message extends AIMessage | AIMessageChunk>(message: Message): Message {
  return Object.assign(message, { usage_metadata: { ...usage } });
}

/** Tools are LangChain tools, or definitions in OpenAI's shape. */
function nameOf(tool: BindToolsInput): string {
  const { name, function: definition } = tool as { readonly name?: unknown; readonly function?: { readonly name?: unknown } };
  return String(name ?? definition?.name);
}
