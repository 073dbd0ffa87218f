import { SkillError } from '@repertoire/skills-core';

/** A tool that a scripted model calls. */
export interface ScriptedToolCall {
  readonly toolName: string;
  /** Arguments, as data. */
  readonly input: unknown;
  /** @default `call-<turn>-<number in the turn>`, both from 1 */
  readonly toolCallId?: string | undefined;
}

/** Why a model stopped, in the terms of the AI SDK. LangChain gets OpenAI's terms. */
export type ScriptedFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

/** The scripted answer to one call. */
export interface ScriptedTurn {
  /** Text before any tool call. */
  readonly text?: string | undefined;
  /** Parallel tool calls. */
  readonly toolCalls?: readonly ScriptedToolCall[] | undefined;
  /** Fails the call with this error. A stream sends `text` and `toolCalls` first. */
  readonly error?: unknown;
  /** @default 'tool-calls' with tool calls, otherwise 'stop' */
  readonly finishReason?: ScriptedFinishReason | undefined;
}

/** The script of a model: one turn per call, in order, or a function of the call. */
export type ModelScript<Call> = readonly ScriptedTurn[] | ((call: Call, index: number) => ScriptedTurn | Promise<ScriptedTurn>);

/** A turn with all defaults applied. */
export interface PlayedTurn {
  readonly text: string;
  readonly toolCalls: readonly { readonly toolName: string; readonly input: unknown; readonly toolCallId: string }[];
  /** Whether the call fails, and with what. */
  readonly failure: { readonly error: unknown } | null;
  readonly finishReason: ScriptedFinishReason;
}

/**
 * Plays a script: returns the turn of call number `index`, from 0.
 *
 * @throws {SkillError} `invalid-options` if the script has no turn for this call
 */
export async function playTurn<Call>(script: ModelScript<Call>, call: Call, index: number): Promise<PlayedTurn> {
  const turn = typeof script === 'function' ? await script(call, index) : script[index];
  if (turn === undefined) {
    const turns =
      typeof script === 'function'
        ? 'its function gave no turn for this call'
        : `its script has ${script.length} ${script.length === 1 ? 'turn' : 'turns'}`;
    throw new SkillError(
      'invalid-options',
      `The scripted model was called for the ${ordinal(index + 1)} time, but ${turns}. Add a turn, or find out why the model is called again.`,
    );
  }
  const toolCalls = (turn.toolCalls ?? []).map((toolCall, number) => ({
    toolName: toolCall.toolName,
    input: toolCall.input,
    toolCallId: toolCall.toolCallId ?? `call-${index + 1}-${number + 1}`,
  }));
  return {
    text: turn.text ?? '',
    toolCalls,
    failure: 'error' in turn && turn.error !== undefined ? { error: turn.error } : null,
    finishReason: turn.finishReason ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop'),
  };
}

/** Splits text into the pieces that a stream delivers: words with the following space. */
export function textPieces(text: string): string[] {
  const pieces = text.split(/(?<=\s)(?=\S)/);
  return text === '' ? [] : pieces;
}

function ordinal(number: number): string {
  const suffix = number % 100 >= 11 && number % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${suffix}`;
}
