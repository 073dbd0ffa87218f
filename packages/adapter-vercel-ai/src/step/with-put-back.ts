import type { SkillSession } from '@repertoire/skills-core';
import type { PutBackOptions } from '@repertoire/skills-core/adapter';
import type { PutBackSkill } from '@repertoire/skills-core/internal';
import type { ModelMessage, ToolResultPart } from 'ai';
import type { ConversationState } from '../state/conversation-state.ts';
import { turnsOfMessages } from '../state/turns-of-messages.ts';
import { hostCallMessages } from './host-call-messages.ts';

/** Options of {@link withPutBack}. */
export interface WithPutBack {
  readonly session: SkillSession;
  readonly state: ConversationState;
  readonly room: Omit<PutBackOptions, 'kept' | 'signal'>;
  readonly loadTool: string;
  readonly modelOutput: (text: string) => ToolResultPart['output'];
}

/**
 * The messages with the instructions that the session inserts again. Returns the same array if
 * there are none.
 */
export async function withPutBack(messages: ModelMessage[], work: WithPutBack): Promise<ModelMessage[]> {
  const { session, state, room } = work;
  const turns = turnsOfMessages(messages, (text) => session.lengthOf(text));
  const back = await session.putBack(turns, { ...room, kept: state.kept });
  if (back.length === 0) return messages;
  const before = (index: number) => back.filter((skill) => skill.before === index).flatMap((skill) => pairOf(skill, work));
  return [...messages.flatMap((message, index) => [...before(index), message]), ...before(messages.length)];
}

function pairOf({ toolCallId, input, text }: PutBackSkill, { loadTool, modelOutput }: WithPutBack): ModelMessage[] {
  return hostCallMessages({ toolCallId, tool: loadTool, input: { ...input }, output: modelOutput(text) });
}
