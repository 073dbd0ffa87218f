import { SkillError } from '@repertoire/skills-core';

/** A tool that a scripted model calls. */
export interface ScriptedToolCall {
  readonly toolName: string;
  /** Arguments, as data. */
  readonly input: unknown;
  /** @default `call-<turn>-<number in the turn>`, both from 1 */
  readonly toolCallId?: string | undefined;
}

/** Why a model stopped, in the words of the AI SDK; LangChain gets the words of OpenAI. */
export type ScriptedFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

/** What a scripted model answers to one call. */
export interface ScriptedTurn {
  /** Text, before any tool call. */
  readonly text?: string | undefined;
  /** Tools that it calls, at once. */
  readonly toolCalls?: readonly ScriptedToolCall[] | undefined;
  /** Fails the call with this. A stream gives `text` and `toolCalls` first. */
  readonly error?: unknown;
  /** @default 'tool-calls' where it calls tools, else 'stop' */
  readonly finishReason?: ScriptedFinishReason | undefined;
}

/** What a scripted model answers: one turn a call, in order; or a function of the call, for models that answer to what they read. */
export type ModelScript<Call> = readonly ScriptedTurn[] | ((call: Call, index: number) => ScriptedTurn | Promise<ScriptedTurn>);

/** A turn with everything filled in. */
export interface PlayedTurn {
  readonly text: string;
  readonly toolCalls: readonly { readonly toolName: string; readonly input: unknown; readonly toolCallId: string }[];
  /** Whether the call fails, and with what. */
  readonly failure: { readonly error: unknown } | null;
  readonly finishReason: ScriptedFinishReason;
}

/**
 * Plays a script: gives the turn of call number `index`, counted from 0.
 *
 * @throws {SkillError} `invalid-options` where the script has no turn for this call
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

/** Cuts text into the pieces that a stream delivers: words with the space behind them. */
export function textPieces(text: string): string[] {
  const pieces = text.split(/(?<=\s)(?=\S)/);
  return text === '' ? [] : pieces;
}

function ordinal(number: number): string {
  const suffix = number % 100 >= 11 && number % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${suffix}`;
}
