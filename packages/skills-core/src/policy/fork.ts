import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { isInterrupt } from '../errors/is-interrupt.ts';
import { messageOf } from '../errors/message-of.ts';
import { insideElement } from '../prompt/escape.ts';
import { frame, resultElement } from '../prompt/frames.ts';
import { forkFailedText, forkHandedBackText, forkWithoutAnswerText } from '../prompt/model-texts.ts';
import { hashText } from '../providers/digest/hash-text.ts';
import type { SkillEvent } from '../state/skill-state.ts';

/** A skill that wants an agent of its own, whose result answers the load call. */
export interface SkillFork {
  readonly skill: string;
  /** Kind of agent that the skill names, such as `Explore`; the adapter decides what it means. */
  readonly agent?: string | undefined;
  /** Model that the skill names, where it is trusted. */
  readonly model?: string | undefined;
  /** What the agent is to do: the rendered skill with its arguments. */
  readonly prompt: string;
  /** The arguments that the skill was asked for with, if any: they stand in the prompt. */
  readonly arguments?: string | undefined;
}

/** Whether loading runs an agent of its own. Untrusted skills are loaded like others. */
export function wantsFork(skill: SkillMetadata): boolean {
  return skill.context === 'fork' && isTrusted(skill);
}

/** Options of {@link forkResultText}. */
interface ForkResultOptions {
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

/** The result of a fork that needs a person: the skill as loaded here, why, and what was done. */
export function forkHandedBack<Loaded extends { readonly text: string; readonly events: readonly SkillEvent[] }>(
  loaded: Loaded,
  skill: string,
  reason: string,
): Loaded {
  const [event] = loaded.events.filter(({ type }) => type === 'loaded');
  if (event === undefined) return loaded;
  const text = `${loaded.text}\n${forkResultText(skill, forkHandedBackText(reason))}`;
  const hash = hashText(text);
  // A saved state knows its texts by their hashes.
  const events = loaded.events.map((each) =>
    each.type === 'loaded' && each.texts !== undefined ? { ...each, texts: [...each.texts, hash] } : each,
  );
  return { ...loaded, text, events };
}
