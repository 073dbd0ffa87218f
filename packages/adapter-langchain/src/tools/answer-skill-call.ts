import { AIMessage, type BaseMessage, type ToolMessage } from '@langchain/core/messages';
import type { ToolRuntime } from '@langchain/core/tools';
import { Command, isGraphBubbleUp, task } from '@langchain/langgraph';
import { SkillError, type SkillEvent } from '@repertoire/skills-core';
import {
  recordSkillEvents,
  withdrawSkillText,
  type SkillStateBox,
  type SkillTool,
  type SkillToolContext,
  type SkillToolResult,
  checkpointSteps,
  failureText,
  forkAnswer,
  lengthOfTurns,
  taskIdOf,
} from '@repertoire/skills-core/adapter';
import { sourceFailed, type SkillToolDescription } from '@repertoire/skills-core/internal';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import type { SkillsConversation } from '../binding/skills-conversation.ts';
import { runOf } from '../binding/skills-run.ts';
import { skillsOf, skillToolMessage } from '../messages/skill-messages.ts';
import { turnsOfMessages } from '../messages/turns-of-messages.ts';
import { withdrawnMessages } from '../messages/withdrawn-messages.ts';
import type { LoadedTools } from '../state/skills-state.ts';
import { askPerson } from './ask-person.ts';
import { skillStreamEvents, streamSkillEvents, type SkillStreamEvent } from './stream-skill-events.ts';
import { openOnLoad, toolsOfEvents, type OpenedOnLoad } from './tools-of-events.ts';

/** One call of a skill tool. */
export interface SkillCall<Context> {
  readonly binding: SkillsBinding<Context>;
  readonly description: SkillToolDescription;
  readonly input: unknown;
  readonly runtime: ToolRuntime;
  /** What a conversation outside of any graph has loaded. */
  readonly box?: SkillStateBox | undefined;
}

/** Runs a skill tool call. Rejects only for aborts and interrupts. */
export async function answerSkillCall<Context>(call: SkillCall<Context>): Promise<Command | ToolMessage | string> {
  const { binding, description, input, runtime, box } = call;
  const { name, role } = description;
  const state: unknown = runtime.state;
  const inGraph = isGraphState(state);
  const toolCallId = runtime.toolCallId ?? runtime.toolCall?.id;
  const { conversation, tools, ...result } = await resultOf(call, inGraph, toolCallId);
  await streamSkillEvents(skillStreamEvents(name, role, input, result), runtime);

  if (result.events.length > 0) reportLostState(call, inGraph);
  if (!inGraph && conversation !== undefined) await recordSkillEvents(box, result.events, conversation.session.apply);
  if (toolCallId === undefined) return result.text;
  const failed = result.error !== undefined;
  const message = skillToolMessage({ tool: name, toolCallId, text: result.text, skills: skillsOf(result.events), failed });
  if (!inGraph || result.events.length === 0 || conversation === undefined) return message;
  const update = await conversation.update(result.events, tools);
  return new Command({ update: { ...update, messages: [...withdrawn(binding, conversation, result.events), message] } });
}

/** Without a state, the model would load the skill again and again. */
function reportLostState<Context>({ binding, runtime, box, description }: SkillCall<Context>, inGraph: boolean): void {
  const { channels } = binding;
  const isKept = inGraph ? channels.loaded_skills in (runtime.state as object) : box !== undefined;
  if (isKept) return;
  const spread =
    binding.options.namespace === undefined ? '...skillsState' : `...skillsStateOf(${JSON.stringify(binding.options.namespace)})`;
  binding.report({
    code: 'state-not-saved',
    severity: 'error',
    message: inGraph
      ? `${description.name} loaded or ended a skill, and the state of the graph has no channel ${channels.loaded_skills}, so that is forgotten. Gated tools stay closed.`
      : `${description.name} loaded or ended a skill outside of a graph, and nothing keeps that, so it is forgotten. Gated tools stay closed.`,
    fix: inGraph
      ? `Add the channels to the state: new StateSchema({ messages: MessagesValue, ${spread} }).`
      : 'Pass a state for each conversation: createSkillTools({ …, state: { current: emptySkillState } }).',
  });
}

function isGraphState(state: unknown): boolean {
  return typeof state === 'object' && state !== null && !Array.isArray(state);
}

type Result = SkillToolResult & { readonly tools: LoadedTools; readonly conversation?: SkillsConversation | undefined };

async function resultOf<Context>(call: SkillCall<Context>, inGraph: boolean, toolCallId: string | undefined): Promise<Result> {
  const { binding, runtime, box } = call;
  const run = runOf(runtime);
  try {
    const conversation = await binding.enter(runtime.state, run, inGraph ? undefined : box?.current);
    const opening = openOnLoad(binding, conversation);
    const result = await execute(call, conversation, opening, inGraph, toolCallId);
    return { ...result, conversation, tools: await toolsOfEvents(binding, conversation, result.events, opening.tools) };
  } catch (thrown) {
    run.signal?.throwIfAborted();
    if (isGraphBubbleUp(thrown)) throw thrown;
    const error = sourceFailed(thrown);
    return { text: failureText(error), events: [], error, tools: {} };
  }
}

async function execute<Context>(
  { binding, description: { name, role }, input, runtime }: SkillCall<Context>,
  conversation: SkillsConversation,
  { onLoad }: OpenedOnLoad,
  inGraph: boolean,
  toolCallId: string | undefined,
): Promise<SkillToolResult> {
  const { options } = binding;
  const { session, run } = conversation;
  const own = session.tools.find((candidate) => candidate.name === name);
  if (own === undefined) {
    const error = new SkillError('unsupported', `There is nothing for ${name} to do here. Go on without it.`);
    return { text: String(error), events: [], error };
  }
  // Reinserted instructions need not be returned again. Only the load tool asks.
  const shown = inGraph && role === 'load' ? await conversation.shown() : undefined;
  const at = lengthOfTurns(turnsOfMessages(beforeCall(shown?.messages ?? [], toolCallId), session));
  const context: SkillToolContext = {
    state: inGraph ? conversation.skills(shown) : conversation.loaded,
    canFork: options.fork !== undefined,
    at,
    callId: toolCallId,
    run: taskIdOf(runtime),
    engine: role === 'runWorkflow' && inGraph ? checkpointSteps({ task, isGraphBubbleUp }, runtime) : undefined,
    onLoad,
    onProgress: (line) => runtime.writer?.({ type: 'skill_progress', tool: name, line } satisfies SkillStreamEvent),
    signal: run.signal,
  };
  const result = await executeOrAsk(own, conversation, input, context, inGraph);
  const { fork } = result;
  const { fork: runFork } = options;
  if (fork === undefined || runFork === undefined) return result;
  return { ...result, text: await forkAnswer(fork.skill, () => runFork(fork, run), run.signal) };
}

/** Asks a person where needed. Outside of a graph nobody can be, which is an error. */
async function executeOrAsk(
  tool: SkillTool,
  { session }: SkillsConversation,
  input: unknown,
  context: SkillToolContext,
  inGraph: boolean,
): Promise<SkillToolResult> {
  if (session.approvals === undefined || !inGraph) return await tool.execute(input, context);
  const call = { tool: tool.name, input, id: context.callId };
  const verdict = await session.judgeCall(context.state, call);
  if (verdict.decision !== 'needs-approval') return await tool.execute(input, context);
  const error = await askPerson(session, { verdict, state: context.state, call, isSkillTool: true });
  return error === null ? await tool.execute(input, context) : { text: failureText(error), events: [], error };
}

function beforeCall(messages: readonly BaseMessage[], toolCallId: string | undefined): readonly BaseMessage[] {
  const index = messages.findLastIndex(
    (message) => AIMessage.isInstance(message) && message.tool_calls?.some(({ id }) => id !== undefined && id === toolCallId),
  );
  return index === -1 ? messages : messages.slice(0, index);
}

function withdrawn<Context>(
  { options }: SkillsBinding<Context>,
  { messages }: SkillsConversation,
  events: readonly SkillEvent[],
): BaseMessage[] {
  if (options.withdraw !== true) return [];
  const names = events.flatMap((event) => (event.type === 'unloaded' ? [event.name] : []));
  return withdrawnMessages(messages, names, withdrawSkillText);
}
