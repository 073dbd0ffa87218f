import type { BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { SkillEvent, SkillSession } from '@repertoire/skills-core';
import type { SkillToolContext, SkillToolResult } from '@repertoire/skills-core/adapter';
import { failureText, lengthOfTurns, hostCallId } from '@repertoire/skills-core/adapter';
import { sourceFailed } from '@repertoire/skills-core/internal';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf } from '../binding/skills-run.ts';
import { callMessages, skillsOf } from '../messages/skill-messages.ts';
import { turnsOfMessages } from '../messages/turns-of-messages.ts';
import type { LoadedTools } from '../state/skills-state.ts';
import { askPerson } from '../tools/ask-person.ts';
import { skillStreamEvents, streamSkillEvents } from '../tools/stream-skill-events.ts';
import { openOnLoad, toolsOfEvents } from '../tools/tools-of-events.ts';
import type { SkillsNodeUpdate } from './node-update.ts';

/** A skill that a graph wants to load, by its name, or by its `id` as in skill cards. */
export interface SkillWanted {
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  /** @default the newest */
  readonly version?: string | undefined;
  /** @default none */
  readonly arguments?: string | undefined;
}

/** Asks a person where needed, before anything is loaded. */
async function loadOrAsk(
  session: SkillSession,
  input: { readonly name: string },
  context: SkillToolContext,
  tool: string,
): Promise<SkillToolResult> {
  const load = () => session.load(input, context);
  if (session.approvals === undefined) return await load();
  const { question, error } = await session.load(input, { ...context, onlyAsk: true });
  if (question === undefined || error === undefined) return await load();
  const { state, callId: id } = context;
  const asked = { verdict: { question, error }, state, call: { tool, input, id }, isSkillTool: true, ask: load };
  const refused = await askPerson(session, asked);
  return refused === null ? await load() : { text: failureText(refused), events: [], error: refused };
}

/** Loads skills one by one, and writes the messages that a model would have caused. */
export async function loadWanted<Context>(
  binding: SkillsBinding<Context>,
  wanted: readonly (SkillWanted | string)[],
  state: unknown,
  config: RunnableConfig,
): Promise<SkillsNodeUpdate> {
  const run = runOf(config);
  if (wanted.length === 0) return {};
  const conversation = await binding.enter(state, run);
  const { session, messages: already } = conversation;
  const lengthOf = (all: readonly BaseMessage[]) => lengthOfTurns(turnsOfMessages(all, session));
  const tool = binding.skillset.toolNames.load;
  let skills = conversation.skills();
  let tools: LoadedTools = {};
  const messages: BaseMessage[] = [];
  const events: SkillEvent[] = [];

  for (const request of wanted) {
    const { name, id, version, arguments: skillArguments } = typeof request === 'string' ? { name: request } : request;
    const input = {
      name: name ?? id ?? '',
      ...(version !== undefined && { version }),
      ...(skillArguments !== undefined && { arguments: skillArguments }),
    };
    const current = { ...conversation, loadedTools: { ...conversation.loadedTools, ...tools } };
    const { onLoad, tools: opened } = openOnLoad(binding, current);
    const toolCallId = hostCallId(`node-${already.length}`, tool, input);
    const context = {
      state: skills,
      callId: toolCallId,
      at: lengthOf([...already, ...messages]),
      onLoad,
      signal: run.signal,
    };
    let result = await loadOrAsk(session, input, context, tool);
    // The skill is already loaded, and its instructions are in the messages.
    if (result.events.length === 0 && result.error === undefined) continue;
    try {
      tools = { ...tools, ...(await toolsOfEvents(binding, current, result.events, opened)) };
      skills = session.apply(skills, result.events);
      events.push(...result.events);
    } catch (thrown) {
      run.signal?.throwIfAborted();
      const error = sourceFailed(thrown);
      result = { text: failureText(error), events: [], error };
    }
    const failed = result.error !== undefined;
    messages.push(...callMessages({ tool, input, toolCallId, text: result.text, skills: skillsOf(result.events), failed }));
    await streamSkillEvents(skillStreamEvents(tool, 'load', input, result), config);
  }
  return messages.length === 0 ? {} : { messages, ...(await conversation.update(events, tools)) };
}
