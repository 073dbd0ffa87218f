import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { abortable } from '@repertoire/skills-core/provider';
import { playTurn, textPieces, type ModelScript, type PlayedTurn } from '../scripted-turn.ts';

/** One call of the model: what the AI SDK sent it. */
export interface ScriptedModelCall extends LanguageModelV4CallOptions {
  /** Which of the two methods was called. */
  readonly method: 'doGenerate' | 'doStream';
}

/** A model that answers from a script and records its calls. */
export type ScriptedModel = LanguageModelV4 & {
  /** Every call so far: prompt, tools and all other options. */
  readonly calls: readonly ScriptedModelCall[];
};

// The same for every turn, so that totals are predictable.
const usage: LanguageModelV4Usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

/**
 * A language model for tests with the AI SDK 7: `generateText`, `streamText`, `ToolLoopAgent`. Each
 * call takes the next turn of the script. Ids, usage and streamed pieces are the same in every run.
 *
 * @throws {SkillError} `invalid-options`, as a rejection of the call, if the script has no more
 *   turns
 * @example
 * ```ts
 * import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
 * import { generateText } from 'ai';
 *
 * const model = scriptedModel([{ text: 'Good evening.' }]);
 * const { text } = await generateText({ model, prompt: 'Greet me.' });
 * export const result = [text, model.calls.length]; // ['Good evening.', 1]
 * ```
 */
export function scriptedModel(script: ModelScript<ScriptedModelCall>): ScriptedModel {
  const calls: ScriptedModelCall[] = [];

  async function play(method: ScriptedModelCall['method'], options: LanguageModelV4CallOptions): Promise<PlayedTurn> {
    options.abortSignal?.throwIfAborted();
    const call: ScriptedModelCall = { ...options, method };
    // Counted before the script is awaited, so that concurrent calls take different turns.
    const index = calls.push(call) - 1;
    return abortable(() => playTurn(script, call, index), options.abortSignal);
  }

  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    calls,

    async doGenerate(options) {
      const turn = await play('doGenerate', options);
      if (turn.failure !== null) throw turn.failure.error;
      return { content: contentOf(turn), finishReason: finishReasonOf(turn), usage, warnings: [] };
    },

    async doStream(options) {
      const turn = await play('doStream', options);
      // An API that fails before its first output rejects the request.
      if (turn.failure !== null && turn.text === '' && turn.toolCalls.length === 0) throw turn.failure.error;
      return { stream: streamOf([...streamPartsOf(turn)], options.abortSignal) };
    },
  };
}

function contentOf({ text, toolCalls }: PlayedTurn): LanguageModelV4Content[] {
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...toolCalls.map(({ toolCallId, toolName, input }) => ({
      type: 'tool-call' as const,
      toolCallId,
      toolName,
      input: JSON.stringify(input),
    })),
  ];
}

function finishReasonOf({ finishReason }: PlayedTurn): { unified: PlayedTurn['finishReason']; raw: string } {
  return { unified: finishReason, raw: finishReason };
}

function* streamPartsOf(turn: PlayedTurn): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  if (turn.text !== '') {
    yield { type: 'text-start', id: 'text-1' };
    for (const delta of textPieces(turn.text)) yield { type: 'text-delta', id: 'text-1', delta };
    yield { type: 'text-end', id: 'text-1' };
  }
  for (const part of contentOf({ ...turn, text: '' })) {
    if (part.type !== 'tool-call') continue;
    yield { type: 'tool-input-start', id: part.toolCallId, toolName: part.toolName };
    yield { type: 'tool-input-delta', id: part.toolCallId, delta: part.input };
    yield { type: 'tool-input-end', id: part.toolCallId };
    yield part;
  }
  if (turn.failure !== null) yield { type: 'error', error: turn.failure.error };
  yield { type: 'finish', finishReason: turn.failure === null ? finishReasonOf(turn) : { unified: 'error', raw: 'error' }, usage };
}

/** One part per pull, so that a reader that stops early leaves the rest unsent. */
function streamOf(parts: LanguageModelV4StreamPart[], signal: AbortSignal | undefined): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    pull(controller) {
      if (signal?.aborted === true) {
        controller.error(signal.reason);
        return;
      }
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
  });
}
