import type { BaseMessage } from '@langchain/core/messages';
import { renewSkills as renewChanged, lengthOfTurns } from '@repertoire/skills-core/adapter';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import type { SkillsConversation } from '../binding/skills-conversation.ts';
import { callMessages, skillsOf } from '../messages/skill-messages.ts';
import { turnsOfMessages } from '../messages/turns-of-messages.ts';
import { toolsOfEvents } from '../tools/tools-of-events.ts';
import type { SkillsNodeUpdate } from './node-update.ts';

/**
 * Loads the present content of skills that changed, before a model call (`contentChange: 'renew'`).
 * The result is an update of the state, so it outlives the call; `null` if there is nothing to
 * renew.
 */
export async function renewSkills<Context>(
  binding: SkillsBinding<Context>,
  conversation: SkillsConversation,
): Promise<(SkillsNodeUpdate & { readonly messages: BaseMessage[] }) | null> {
  const { session, messages, signal } = conversation;
  if (!session.renewsChanged) return null;
  const at = lengthOfTurns(turnsOfMessages(messages, session));
  const skills = await renewChanged(session, conversation.skills(), { at, signal });
  if (skills.length === 0) return null;
  const events = skills.flatMap((skill) => skill.events);
  const tool = binding.skillset.toolNames.load;
  const tools = await toolsOfEvents(binding, conversation, events, new Map());
  return {
    ...(await conversation.update(events, tools)),
    messages: skills.flatMap(({ toolCallId, input, text, events: own }) =>
      callMessages({ tool, input: { ...input }, toolCallId, text, skills: skillsOf(own) }),
    ),
  };
}
