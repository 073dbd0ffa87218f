import type { BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { SkillError, type SkillToolResult } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/state';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf } from '../binding/skills-run.ts';
import { estimateTokens } from '../messages/estimate-tokens.ts';
import { callMessages } from '../messages/skill-messages.ts';
import { loadedSkillsUpdate, readable } from '../state/skill-state-of.ts';
import type { LoadedTools } from '../state/skills-state.ts';
import { toolsOfEvents } from '../tools/answer-skill-call.ts';
import { skillStreamEvents, streamSkillEvents } from '../tools/stream-skill-events.ts';
import type { SkillsNodeUpdate } from './langgraph-skills.ts';

/** A skill that a graph wants to have loaded, by its name, or by its `id` as skill cards call it. */
export interface SkillWanted {
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  /** @default the newest */
  readonly version?: string | undefined;
  /** @default none */
  readonly arguments?: string | undefined;
}

/** Loads skills one after the other, each knowing of the ones before, and writes what a model would have caused. */
export async function loadWanted<Context>(
  binding: SkillsBinding<Context>,
  wanted: readonly (SkillWanted | string)[],
  state: unknown,
  config: RunnableConfig,
): Promise<SkillsNodeUpdate> {
  const { skillset } = binding;
  const run = runOf(config);
  const catalog = await binding.catalogOf(state, run);
  const before = binding.stateOf(state);
  const already = readable(state).messages ?? [];
  const tool = skillset.toolNames.load;
  let skills = before;
  let tools: LoadedTools = {};
  const messages: BaseMessage[] = [];
  const events: SkillToolResult['events'][number][] = [];

  for (const request of wanted) {
    const { name, id, version, arguments: skillArguments } = typeof request === 'string' ? { name: request } : request;
    const input = {
      name: name ?? id ?? '',
      ...(version !== undefined && { version }),
      ...(skillArguments !== undefined && { arguments: skillArguments }),
    };
    const at = estimateTokens([...already, ...messages]);
    let result = await skillset.load(catalog, input, { state: skills, at, signal: run.signal });
    // Loaded already, and its instructions stand there.
    if (result.events.length === 0 && result.error === undefined) continue;
    const after = result.events.reduce(reduceSkillState, skills);
    try {
      tools = { ...tools, ...(await toolsOfEvents(binding, result.events, { catalog, skills: after, state, run })) };
      skills = after;
      events.push(...result.events);
    } catch (error) {
      run.signal?.throwIfAborted();
      if (!SkillError.isInstance(error)) throw error;
      result = { text: String(error), events: [], error };
    }
    messages.push(
      ...callMessages(
        { tool, input, text: result.text, events: result.events, failed: result.error !== undefined },
        `node-${already.length}`,
      ),
    );
    await streamSkillEvents(skillStreamEvents(tool, 'load', input, result), config);
  }
  return messages.length === 0 ? {} : { messages, loaded_skills: loadedSkillsUpdate(before, events), loaded_tools: tools };
}
