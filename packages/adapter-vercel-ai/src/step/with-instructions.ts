import type { SkillSession } from '@repertoire/skills-core';
import { restoreSkills, renewSkills, type RestoreOptions, withInserted } from '@repertoire/skills-core/adapter';
import { type RestoredSkill } from '@repertoire/skills-core/internal';
import type { ModelMessage, ToolResultPart } from 'ai';
import type { ConversationState } from '../state/conversation-state.ts';
import { turnsOfMessages } from '../state/turns-of-messages.ts';
import { hostCallMessages } from './host-call-messages.ts';

/** Options of {@link withInstructions}. */
export interface WithInstructions {
  readonly session: SkillSession;
  readonly state: ConversationState;
  /** Room for what is restored; `undefined` if nothing ever is. */
  readonly room: Omit<RestoreOptions, 'state' | 'signal'> | undefined;
  readonly loadTool: string;
  readonly modelOutput: (text: string) => ToolResultPart['output'];
}

/**
 * The messages with the instructions that the session inserts again, and with those that it renews
 * at the end. A saved state records them, so that their texts are known as given. Returns the same
 * array if there are none.
 */
export async function withInstructions(messages: ModelMessage[], work: WithInstructions): Promise<ModelMessage[]> {
  return withRenewed(await withRestored(messages, work), work);
}

async function withRestored(messages: ModelMessage[], work: WithInstructions): Promise<ModelMessage[]> {
  const { session, state, room } = work;
  if (room === undefined) return messages;
  const back = await restoreSkills(session, turnsOfMessages(messages, session), { ...room, state: state.saved });
  if (back.length === 0) return messages;
  await state.record(back.flatMap(({ events }) => events));
  return withInserted(messages, back, (skill) => pairOf(skill, work));
}

async function withRenewed(messages: ModelMessage[], work: WithInstructions): Promise<ModelMessage[]> {
  const { session, state } = work;
  if (!session.renewsChanged) return messages;
  const renewed = await renewSkills(session, state.of(messages), { at: state.lengthOf(messages) });
  if (renewed.length === 0) return messages;
  await state.record(renewed.flatMap(({ events }) => events));
  return [...messages, ...renewed.flatMap((skill) => pairOf(skill, work))];
}

function pairOf(
  { toolCallId, input, text }: Pick<RestoredSkill, 'toolCallId' | 'input' | 'text'>,
  { loadTool, modelOutput }: WithInstructions,
): ModelMessage[] {
  return hostCallMessages({ toolCallId, tool: loadTool, input: { ...input }, output: modelOutput(text) });
}
