import { isInterrupt } from '../errors/is-interrupt.ts';
import { messageOf } from '../errors/message-of.ts';
import { insideElement } from '../prompt/escape.ts';
import { frame, resultElement } from '../prompt/frames.ts';
import { forkFailedText, forkWithoutAnswerText } from '../prompt/model-texts.ts';

/** Options of {@link forkResultText}. */
export interface ForkResultOptions {
  /** The agent is still at work: this is what it has said so far. @default false */
  readonly partial?: boolean | undefined;
}

/**
 * Renders the answer of a forked skill's agent as the result of the load call. The answer stands
 * inside an element of its own, because a model wrote it: without the element, an answer that
 * begins like a loaded skill would load that skill.
 *
 * @example
 * ```ts
 * import { forkResultText } from '@repertoire/skills-core/adapter';
 *
 * forkResultText('research', 'Three papers agree.'); // <skill_result name="research">…
 * ```
 */
export function forkResultText(skill: string, answer: string, { partial = false }: ForkResultOptions = {}): string {
  const text = answer.trim() === '' && !partial ? forkWithoutAnswerText : answer;
  return frame(resultElement, { name: skill, partial: partial ? 'true' : undefined }, insideElement(text));
}

/** The result if the agent of a fork failed. Callers rethrow aborts and interrupts. */
export function forkFailureText(skill: string, error: unknown): string {
  return forkResultText(skill, forkFailedText(messageOf(error)));
}

/** Returns the result of the load call: what the agent of the fork answers, or how it failed. */
export async function forkAnswer(skill: string, answer: () => Promise<string>, signal?: AbortSignal): Promise<string> {
  try {
    return forkResultText(skill, await answer());
  } catch (error) {
    signal?.throwIfAborted();
    if (isInterrupt(error)) throw error;
    return forkFailureText(skill, error);
  }
}
