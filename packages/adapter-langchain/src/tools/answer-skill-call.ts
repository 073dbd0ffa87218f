import { AIMessage, type BaseMessage, type ToolMessage } from '@langchain/core/messages';
import type { ToolRuntime } from '@langchain/core/tools';
import { Command, isGraphBubbleUp } from '@langchain/langgraph';
import {
  SkillError,
  type SkillEvent,
  type SkillSession,
  type SkillState,
  type SkillToolResult,
} from '@repertoire/skills-core';
import { forkFailureText, forkResultText, type SkillToolDescription } from '@repertoire/skills-core/policy';
import { withdrawSkillText } from '@repertoire/skills-core/state';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf, type SkillsRun } from '../binding/skills-run.ts';
import { skillsOf, skillToolMessage } from '../messages/skill-messages.ts';
import { tokensOf, turnsOfMessages } from '../messages/turns-of-messages.ts';
import { withdrawnMessages } from '../messages/withdrawn-messages.ts';
import { loadedSkillsUpdate, updateOf } from '../state/graph-state.ts';
import type { LoadedTools } from '../state/skills-state.ts';
import { skillStreamEvents, streamSkillEvents } from './stream-skill-events.ts';

/** What a conversation outside of any graph has loaded. */
export interface SkillsBox {
  current: SkillState;
}

/** One call of a skill tool. */
export interface SkillCall<Context> {
  readonly binding: SkillsBinding<Context>;
  readonly description: SkillToolDescription;
  readonly input: unknown;
  readonly runtime: ToolRuntime;
  readonly box?: SkillsBox | undefined;
}

/** Runs a call of a skill tool and words its answer for the framework. Only aborts and interrupts reject. */
export async function answerSkillCall<Context>(call: SkillCall<Context>): Promise<Command | ToolMessage | string> {
  const { binding, description, input, runtime, box } = call;
  const { name, role } = description;
  const graphState: unknown = runtime.state;
  const inGraph = typeof graphState === 'object' && graphState !== null && !Array.isArray(graphState);
  const state = inGraph || box === undefined ? graphState : { [binding.channels.loaded_skills]: box.current.loaded };
  const run = runOf(runtime);
  const toolCallId = runtime.toolCallId ?? runtime.toolCall?.id;
  const result = await resultOf(binding, description, input, { state, run, inGraph, toolCallId });
  await streamSkillEvents(skillStreamEvents(name, role, input, result), runtime);

  const { session } = result;
  const before = binding.read(state).loaded;
  if (!inGraph && box !== undefined && session !== undefined) box.current = session.apply(box.current, result.events);
  if (toolCallId === undefined) return result.text;
  const failed = result.error !== undefined;
  const message = skillToolMessage({ tool: name, toolCallId, text: result.text, skills: skillsOf(result.events), failed });
  if (!inGraph || result.events.length === 0 || session === undefined) return message;
  return new Command({
    update: {
      ...updateOf(binding.channels, {
        loaded_skills: loadedSkillsUpdate(session, before, result.events),
        loaded_tools: result.tools,
      }),
      messages: [...withdrawn(binding, state, result.events), message],
    },
  });
}

type Result = SkillToolResult & { readonly tools: LoadedTools; readonly session?: SkillSession | undefined };

interface CallInConversation {
  readonly state: unknown;
  readonly run: SkillsRun;
  readonly inGraph: boolean;
  readonly toolCallId: string | undefined;
}

async function resultOf<Context>(
  binding: SkillsBinding<Context>,
  description: SkillToolDescription,
  input: unknown,
  conversation: CallInConversation,
): Promise<Result> {
  const { state, run } = conversation;
  try {
    const session = await binding.open(state, run);
    const result = await execute(binding, session, description, input, conversation);
    return { ...result, session, tools: await toolsOfEvents(binding, session, result.events, { state, run }) };
  } catch (error) {
    run.signal?.throwIfAborted();
    if (!SkillError.isInstance(error)) throw error;
    return { text: String(error), events: [], error, tools: {} };
  }
}

async function execute<Context>(
  binding: SkillsBinding<Context>,
  session: SkillSession,
  { name, role }: SkillToolDescription,
  input: unknown,
  { state, run, inGraph, toolCallId }: CallInConversation,
): Promise<SkillToolResult> {
  const { options } = binding;
  const own = session.tools.find((candidate) => candidate.name === name);
  if (own === undefined) {
    const error = new SkillError('unsupported', `There is nothing for ${name} to do here. Go on without it.`);
    return { text: String(error), events: [], error };
  }
  // What was put back need not be given again. Only loading asks what the model can see.
  const shown = inGraph && role === 'load' ? await binding.shown(session, state, run) : undefined;
  const at = tokensOf(turnsOfMessages(beforeCall(shown ?? [], toolCallId), (text) => session.lengthOf(text)));
  const result = await own.execute(input, {
    state: inGraph ? binding.stateOf(session, state, shown) : binding.read(state).loaded,
    canFork: options.fork !== undefined,
    at,
    signal: run.signal,
  });
  if (result.fork === undefined || options.fork === undefined) return result;
  const { skill } = result.fork;
  try {
    return { ...result, text: forkResultText(skill, await options.fork(result.fork, run)) };
  } catch (error) {
    run.signal?.throwIfAborted();
    if (isGraphBubbleUp(error)) throw error;
    return { ...result, text: forkFailureText(skill, error) };
  }
}

/** The messages that the model read when it made the call. */
function beforeCall(messages: readonly BaseMessage[], toolCallId: string | undefined): readonly BaseMessage[] {
  const index = messages.findLastIndex(
    (message) => AIMessage.isInstance(message) && message.tool_calls?.some(({ id }) => id !== undefined && id === toolCallId),
  );
  return index === -1 ? messages : messages.slice(0, index);
}

/** The update of `loaded_tools` for events, with what skills bring opened and closed. */
export async function toolsOfEvents<Context>(
  binding: SkillsBinding<Context>,
  session: SkillSession,
  events: readonly SkillEvent[],
  { state, run }: { readonly state: unknown; readonly run: SkillsRun },
): Promise<LoadedTools> {
  const tools: Record<string, readonly string[] | null> = {};
  for (const event of events) {
    if (event.type === 'compacted') continue;
    const version = event.type === 'loaded' ? (event.version ?? null) : null;
    const skill = session.catalog.listed.find((listed) => listed.name === event.name && listed.version === version);
    if (event.type === 'unloaded' || skill === undefined) {
      await binding.brought.close(state, run, event.name);
      tools[event.name] = null;
      continue;
    }
    const named = binding.hostTools.map((tool) => tool.name).filter((name) => skill.tools?.includes(name));
    const brought = await binding.brought.open(skill, { state, run, loadedTools: { ...binding.read(state).loadedTools, ...tools } });
    tools[event.name] = [...new Set([...named, ...brought.map((tool) => tool.name)])];
  }
  return tools;
}

function withdrawn<Context>(binding: SkillsBinding<Context>, state: unknown, events: readonly SkillEvent[]): BaseMessage[] {
  if (binding.options.withdraw !== true) return [];
  const names = events.flatMap((event) => (event.type === 'unloaded' ? [event.name] : []));
  return withdrawnMessages(binding.read(state).messages, names, withdrawSkillText);
}
