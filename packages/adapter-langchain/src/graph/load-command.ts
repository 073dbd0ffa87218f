import { HumanMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { SkillError } from '@repertoire/skills-core';
import { parseSkillCommand, reduceSkillState } from '@repertoire/skills-core/state';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf } from '../binding/skills-run.ts';
import { estimateTokens } from '../messages/estimate-tokens.ts';
import { callMessages } from '../messages/skill-messages.ts';
import { loadedSkillsUpdate, readable } from '../state/skill-state-of.ts';
import { toolsOfEvents } from '../tools/answer-skill-call.ts';
import { skillStreamEvents, streamSkillEvents } from '../tools/stream-skill-events.ts';
import type { SkillsNodeUpdate } from './langgraph-skills.ts';

/** Loads the skill that a person typed as `/name arguments` in the last message; where it is no such command, or names no skill, nothing is done. */
export async function loadCommand<Context>(
  binding: SkillsBinding<Context>,
  state: unknown,
  config: RunnableConfig,
): Promise<SkillsNodeUpdate> {
  const { skillset } = binding;
  const messages = readable(state).messages ?? [];
  const typed = messages.at(-1);
  const command = typed === undefined || !HumanMessage.isInstance(typed) ? null : parseSkillCommand(typed.text);
  if (typed === undefined || command === null) return {};
  const run = runOf(config);
  const catalog = await binding.catalogOf(state, run);
  const before = binding.stateOf(state);
  const result = await skillset.invoke(catalog, typed.text, { state: before, at: estimateTokens(messages), signal: run.signal });
  if (result === null || result.error?.code === 'skill-not-found') return {};
  const input = { name: command.name, ...(command.arguments !== undefined && { arguments: command.arguments }) };
  const tool = skillset.toolNames.load;
  const place = `command-${messages.length}`;
  try {
    const skills = result.events.reduce(reduceSkillState, before);
    const tools = await toolsOfEvents(binding, result.events, { catalog, skills, state, run });
    await streamSkillEvents(skillStreamEvents(tool, 'load', input, result), config);
    return {
      messages: callMessages({ tool, input, text: result.text, events: result.events, failed: result.error !== undefined }, place),
      loaded_skills: loadedSkillsUpdate(before, result.events),
      loaded_tools: tools,
    };
  } catch (error) {
    run.signal?.throwIfAborted();
    if (!SkillError.isInstance(error)) throw error;
    return { messages: callMessages({ tool, input, text: String(error), failed: true }, place) };
  }
}
