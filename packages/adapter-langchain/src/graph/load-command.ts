import { HumanMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { parseSkillCommand, failureText, lengthOfTurns, hostCallId } from '@repertoire/skills-core/adapter';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf } from '../binding/skills-run.ts';
import { callMessages, skillsOf } from '../messages/skill-messages.ts';
import { turnsOfMessages } from '../messages/turns-of-messages.ts';
import { skillStreamEvents, streamSkillEvents } from '../tools/stream-skill-events.ts';
import { openOnLoad, toolsOfEvents } from '../tools/tools-of-events.ts';
import type { SkillsNodeUpdate } from './node-update.ts';

/** Loads the skill of a typed command. No-op if it is no command or the skill is unknown. */
export async function loadCommand<Context>(
  binding: SkillsBinding<Context>,
  state: unknown,
  config: RunnableConfig,
): Promise<SkillsNodeUpdate> {
  const { messages } = binding.read(state);
  const typed = messages.at(-1);
  const command = typed === undefined || !HumanMessage.isInstance(typed) ? null : parseSkillCommand(typed.text);
  if (typed === undefined || command === null) return {};
  const run = runOf(config);
  const conversation = await binding.enter(state, run);
  const { session } = conversation;
  const at = lengthOfTurns(turnsOfMessages(messages, session));
  const { onLoad, tools: opened } = openOnLoad(binding, conversation);
  const result = await session.invoke(typed.text, {
    state: conversation.skills(),
    at,
    onLoad,
    signal: run.signal,
  });
  if (result === null || result.error?.code === 'skill-not-found') return {};
  const input = { name: command.name, ...(command.arguments !== undefined && { arguments: command.arguments }) };
  const tool = binding.skillset.toolNames.load;
  const toolCallId = hostCallId(`command-${messages.length}`, tool, input);
  try {
    const tools = await toolsOfEvents(binding, conversation, result.events, opened);
    await streamSkillEvents(skillStreamEvents(tool, 'load', input, result), config);
    const failed = result.error !== undefined;
    return {
      messages: callMessages({ tool, input, toolCallId, text: result.text, skills: skillsOf(result.events), failed }),
      ...(await conversation.update(result.events, tools)),
    };
  } catch (error) {
    run.signal?.throwIfAborted();
    const text = failureText(error);
    return { messages: callMessages({ tool, input, toolCallId, text, failed: true }) };
  }
}
