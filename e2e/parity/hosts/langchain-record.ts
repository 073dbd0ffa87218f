import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { localTools, type LoadedSkills, type SkillsOptions } from '@repertoire/adapter-langchain/langgraph';
import type { SkillState } from '@repertoire/skills-core';
import { restoreSkills } from '@repertoire/skills-core/adapter';
import type { AdapterContext, AdapterMessage, AdapterSetup, AdapterTool, GivenToModel } from '@repertoire/skills-testkit/adapter';
import { transcriptOfMessages } from '../../../packages/adapter-langchain/src/messages/transcript-of-messages.ts';
import { scriptedModel, type ScriptedChatModel, type ScriptedChatModelCall } from '@repertoire/skills-testkit/langchain';

/** The model of a whole conversation. `stateNow` is the state at the call that comes now. */
export function conversationModel({ model }: AdapterSetup, stateNow: () => SkillState | Promise<SkillState>): ScriptedChatModel {
  return scriptedModel(async (call) => {
    const step = await model(givenOf(call, stateNow));
    return typeof step === 'string' ? { text: step } : { toolCalls: step.map(([toolName, input]) => ({ toolName, input })) };
  });
}

/**
 * What both hosts choose. What a server keeps is what it sealed: an unsealed state is worth what a
 * claim is.
 */
export function langChainOptions(setup: AdapterSetup): SkillsOptions<AdapterContext> & { readonly context: () => AdapterContext } {
  const { tools, context, gate, restore, fork, toolsOfSkills, state, claims } = setup;
  const map = Object.fromEntries(Object.entries(toolsOfSkills).map(([path, given]) => [path, langChainTool(given)]));
  return {
    tools: tools.map(langChainTool),
    context: () => context,
    gate,
    restore,
    fork,
    toolSources: [localTools({ map })],
    ...(state !== undefined && state !== claims && { stateSecret: 'a secret of thirty-two characters' }),
  };
}

/**
 * What a client sends first: the history, what it claims to be loaded, and rubbish in the channels
 * of the adapter.
 */
export function firstInput({ history, claims, state, rubbish }: AdapterSetup): Readonly<Record<string, unknown>> {
  const loaded = { ...claims.loaded, ...state?.loaded };
  return {
    messages: history.map(messageOf),
    ...(Object.keys(loaded).length > 0 && { loaded_skills: loaded }),
    ...(rubbish !== undefined && { _skill_session: rubbish, _skill_run: rubbish, _skill_catalog: rubbish }),
  };
}

/** LangGraph itself may refuse rubbish by the schema of a channel. */
export async function unlessRefused({ rubbish }: AdapterSetup, run: Promise<unknown>): Promise<void> {
  try {
    await run;
  } catch (error) {
    const isOrderly = ['ZodError', 'StateGraphInputError', 'InvalidUpdateError'].includes((error as Error).name);
    if (rubbish === undefined || !isOrderly) throw error;
  }
}

function langChainTool({ name, description, inputSchema, run }: AdapterTool): StructuredToolInterface {
  return tool(async (input: unknown) => run(input as Record<string, unknown>), {
    name,
    description,
    schema: inputSchema as never,
  }) as unknown as StructuredToolInterface;
}

/** The history behind a cut. */
export function cutMessages(messages: readonly BaseMessage[], summary: string, keepTurns: number): BaseMessage[] {
  const turns = messages.flatMap((message, index) => (HumanMessage.isInstance(message) ? [index] : []));
  return [new HumanMessage(summary), ...messages.slice(turns.at(-keepTurns))];
}

/**
 * What the channel of the graph says of the messages that a model reads: the state as the adapter
 * itself reads it, with the texts that it restores.
 */
export async function stateOf(
  { skillset, context, restore }: AdapterSetup,
  channel: LoadedSkills | undefined,
  { kept, shown }: { readonly kept: readonly BaseMessage[]; readonly shown: readonly BaseMessage[] },
): Promise<SkillState> {
  const session = await skillset.open({ context });
  const loaded = Object.fromEntries(Object.entries(channel ?? {}).flatMap(([name, entry]) => (entry === null ? [] : [[name, entry]])));
  const back = await restoreSkills(session, [{ role: 'user', entries: transcriptOfMessages(kept) }], { ...restore, state: { loaded } });
  const events = back.flatMap((skill) => skill.events);
  const entries = transcriptOfMessages(shown, (text) => session.lengthOf(text));
  return structuredClone(session.state(entries, session.apply({ loaded }, events)));
}

function givenOf({ messages, tools }: ScriptedChatModelCall, state: GivenToModel['state']): GivenToModel {
  return {
    system: messages.flatMap((message) => (message.type === 'system' ? [message.text] : [])).join(''),
    tools: tools.map((given) => {
      // What integrations of providers send.
      const { name, description = '', parameters } = convertToOpenAITool(given as StructuredToolInterface).function;
      return { name, description, schema: JSON.stringify(parameters) };
    }),
    messages: messages.flatMap(neutral),
    state,
  };
}

/** Each result of a given history stands right behind the message that calls its tool. */
function messageOf(message: AdapterMessage, index: number): BaseMessage {
  if (message.from === 'user') return new HumanMessage(message.text);
  if (message.from === 'tool') return new ToolMessage({ tool_call_id: `said-${index}`, name: message.tool, content: message.text });
  const calls = message.calls.map(({ tool: name, input }) => ({ id: `said-${index + 1}`, name, args: input as Record<string, unknown> }));
  return new AIMessage({ content: message.text, tool_calls: calls });
}

/** Drops the envelope of LangChain: blocks of a content, ids, `status` and metadata. */
function neutral(message: BaseMessage): AdapterMessage[] {
  if (message.type === 'system') return [];
  if (ToolMessage.isInstance(message)) return [{ from: 'tool', tool: message.name ?? '', text: message.text }];
  if (!AIMessage.isInstance(message)) return [{ from: 'user', text: message.text }];
  return [{ from: 'model', text: message.text, calls: (message.tool_calls ?? []).map(({ name, args }) => ({ tool: name, input: args })) }];
}
