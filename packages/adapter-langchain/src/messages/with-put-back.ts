import type { BaseMessage } from '@langchain/core/messages';
import type { SkillSession, SkillState } from '@repertoire/skills-core';
import type { PutBackOptions } from '@repertoire/skills-core/adapter';
import { callMessages } from './skill-messages.ts';
import { turnsOfMessages } from './turns-of-messages.ts';

/** Options of {@link withPutBack}. */
export interface WithPutBack {
  readonly session: SkillSession;
  /** What is loaded, according to the graph's state. */
  readonly kept: SkillState;
  readonly loadTool: string;
  readonly room: Omit<PutBackOptions, 'kept' | 'signal'>;
  readonly signal: AbortSignal | undefined;
}

/**
 * The messages with the instructions that the session inserts again. It is a view for one model
 * call: the next summary does not see it, so nothing is summarized twice.
 */
export async function withPutBack(
  messages: readonly BaseMessage[],
  { session, kept, loadTool, room, signal }: WithPutBack,
): Promise<BaseMessage[]> {
  const turns = turnsOfMessages(messages, (text) => session.lengthOf(text));
  const back = await session.putBack(turns, { ...room, kept, signal });
  const before = (index: number) =>
    back
      .filter((skill) => skill.before === index)
      .flatMap(({ name, input, text, toolCallId }) =>
        callMessages({ tool: loadTool, input: { ...input }, text, skills: [name], toolCallId }),
      );
  return [...messages.flatMap((message, index) => [...before(index), message]), ...before(messages.length)];
}
