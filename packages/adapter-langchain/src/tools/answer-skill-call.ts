import { AIMessage, type BaseMessage, type ToolMessage } from '@langchain/core/messages';
import type { ToolRuntime } from '@langchain/core/tools';
import { Command, isGraphBubbleUp } from '@langchain/langgraph';
import { emptySkillState, SkillError, type SkillCatalog, type SkillEvent, type SkillState, type SkillTool, type SkillToolResult, skillInForce } from '@repertoire/skills-core';
import { reduceSkillState, withdrawSkillText } from '@repertoire/skills-core/state';
import { forkResultText } from '@repertoire/skills-core/policy';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf, type SkillsRun } from '../binding/skills-run.ts';
import { estimateTokens } from '../messages/estimate-tokens.ts';
import { skillToolMessage } from '../messages/skill-messages.ts';
import { withdrawnMessages } from '../messages/withdrawn-messages.ts';
import { loadedSkillsUpdate, readable } from '../state/skill-state-of.ts';
import type { LoadedTools } from '../state/skills-state.ts';
import { skillStreamEvents, streamSkillEvents } from './stream-skill-events.ts';

/** What a conversation outside of any graph has loaded. */
export interface SkillsBox {
  current: SkillState;
}

/** One call of a skill tool. */
export interface SkillCall<Context> {
  readonly binding: SkillsBinding<Context>;
  readonly definition: SkillTool;
  readonly input: unknown;
  readonly runtime: ToolRuntime;
  readonly box?: SkillsBox | undefined;
}

/** Runs a call of a skill tool and words its answer for the framework. Only aborts and interrupts reject. */
export async function answerSkillCall<Context>(call: SkillCall<Context>): Promise<Command | ToolMessage | string> {
  const { binding, definition, input, runtime, box } = call;
  const { name, role } = definition;
  const state: unknown = runtime.state;
  const inGraph = typeof state === 'object' && state !== null && !Array.isArray(state);
  const run = runOf(runtime);
  const skills = inGraph ? binding.stateOf(state) : (box?.current ?? emptySkillState);
  const toolCallId = runtime.toolCallId ?? runtime.toolCall?.id;
  const result = await resultOf(binding, definition, input, { state, skills, run, inGraph, toolCallId });
  await streamSkillEvents(skillStreamEvents(name, role, input, result), runtime);

  if (toolCallId === undefined) return result.text;
  const message = skillToolMessage({
    tool: name,
    toolCallId,
    text: result.text,
    events: result.events,
    failed: result.error !== undefined,
  });
  if (!inGraph) {
    if (box !== undefined) box.current = result.events.reduce(reduceSkillState, box.current);
    return message;
  }
  if (result.events.length === 0) return message;
  return new Command({
    update: {
      loaded_skills: loadedSkillsUpdate(skills, result.events),
      loaded_tools: result.tools,
      messages: [...withdrawn(binding, state, result.events), message],
    },
  });
}

type Result = SkillToolResult & { readonly tools: LoadedTools };

async function resultOf<Context>(
  binding: SkillsBinding<Context>,
  definition: SkillTool,
  input: unknown,
  conversation: CallInConversation,
): Promise<Result> {
  try {
    const catalog = await binding.catalogOf(conversation.state, conversation.run);
    const result = await execute(binding, catalog, definition, input, conversation);
    const skills = result.events.reduce(reduceSkillState, conversation.skills);
    return { ...result, tools: await toolsOfEvents(binding, result.events, { ...conversation, catalog, skills }) };
  } catch (error) {
    conversation.run.signal?.throwIfAborted();
    if (!SkillError.isInstance(error)) throw error;
    return { ...failure(error), tools: {} };
  }
}

interface Conversation {
  readonly state: unknown;
  readonly skills: SkillState;
  readonly run: SkillsRun;
}

interface CallInConversation extends Conversation {
  readonly inGraph: boolean;
  readonly toolCallId: string | undefined;
}

async function execute<Context>(
  binding: SkillsBinding<Context>,
  catalog: SkillCatalog<Context>,
  { name, role }: SkillTool,
  input: unknown,
  { state, skills, run, inGraph, toolCallId }: CallInConversation,
): Promise<SkillToolResult> {
  const { skillset, options } = binding;
  const own = skillset.tools(catalog).find((candidate) => candidate.name === name);
  if (own === undefined) return failure(new SkillError('unsupported', `There is nothing for ${name} to do here. Go on without it.`));
  // What was put back need not be given again. Only loading asks what the model can see.
  const shown = inGraph && role === 'load' ? await binding.messagesShown(state, run) : [];
  const result = await own.execute(input, {
    state: shown.length === 0 ? skills : binding.stateOf(state, shown),
    canFork: options.fork !== undefined,
    at: estimateTokens(beforeCall(shown, toolCallId)),
    signal: run.signal,
  });
  if (result.fork === undefined || options.fork === undefined) return result;
  try {
    return { ...result, text: forkResultText(result.fork.skill, await options.fork(result.fork, run)) };
  } catch (error) {
    run.signal?.throwIfAborted();
    if (isGraphBubbleUp(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    return failure(
      new SkillError('source-unavailable', `The agent that was to do ${JSON.stringify(result.fork.skill)} failed: ${why}`, {
        skill: result.fork.skill,
        cause: error,
      }),
    );
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
  events: readonly SkillEvent[],
  { catalog, skills, state, run }: Conversation & { readonly catalog: SkillCatalog<Context> },
): Promise<LoadedTools> {
  const tools: Record<string, readonly string[] | null> = {};
  for (const event of events) {
    if (event.type === 'compacted') continue;
    const skill = skillInForce(catalog.listed, skills, event.name);
    if (event.type === 'unloaded' || skill === undefined) {
      await binding.brought.close(state, run, event.name);
      tools[event.name] = null;
      continue;
    }
    const named = binding.hostTools.map((tool) => tool.name).filter((name) => skill.tools?.includes(name));
    const brought = await binding.brought.open(skill, state, run);
    tools[event.name] = [...new Set([...named, ...brought.map((tool) => tool.name)])];
  }
  return tools;
}

function withdrawn<Context>({ options }: SkillsBinding<Context>, state: unknown, events: readonly SkillEvent[]): BaseMessage[] {
  if (options.withdraw !== true) return [];
  const names = events.flatMap((event) => (event.type === 'unloaded' ? [event.name] : []));
  return withdrawnMessages(readable(state).messages ?? [], names, withdrawSkillText);
}

function failure(error: SkillError): SkillToolResult {
  return { text: String(error), events: [], error };
}
