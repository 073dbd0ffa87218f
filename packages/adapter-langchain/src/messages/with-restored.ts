import { ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { SkillSession, SkillState } from '@repertoire/skills-core';
import { restoreSkills, type RestoreOptions, withInserted } from '@repertoire/skills-core/adapter';
import { callMessages } from './skill-messages.ts';
import { turnsOfMessages } from './turns-of-messages.ts';

/** Options of {@link withRestored}. */
export interface WithRestored {
  readonly session: SkillSession;
  /** What is loaded, according to the graph's state. */
  readonly state: SkillState;
  readonly loadTool: string;
  readonly room: Omit<RestoreOptions, 'state' | 'signal'>;
  readonly signal: AbortSignal | undefined;
}

/** Messages as a model reads them. */
export interface Shown {
  readonly messages: readonly BaseMessage[];
  /** What is loaded, with the texts that were given here. */
  readonly state: SkillState;
}

/**
 * The messages with the instructions that the session inserts again. It is a view for one model
 * call: the next summary does not see it, so nothing is summarized twice. A host that keeps the
 * view has them in its messages, so they are not inserted a second time.
 */
export async function withRestored(
  messages: readonly BaseMessage[],
  { session, state: saved, loadTool, room, signal }: WithRestored,
): Promise<Shown> {
  const turns = turnsOfMessages(messages, session);
  const back = await restoreSkills(session, turns, { ...room, state: saved, signal });
  const standing = new Map(messages.flatMap((message) => (ToolMessage.isInstance(message) ? [[message.tool_call_id, message.text]] : [])));
  const missing = back.filter(({ toolCallId, text }) => standing.get(toolCallId) !== text);
  return {
    messages: withInserted(messages, missing, ({ name, input, text, toolCallId }) =>
      callMessages({ tool: loadTool, input: { ...input }, text, skills: [name], toolCallId }),
    ),
    state: session.apply(
      saved,
      back.flatMap(({ events }) => events),
    ),
  };
}
