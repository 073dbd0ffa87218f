import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { localTools, transcriptOfMessages, type LoadedSkills, type SkillsOptions } from '@repertoire/adapter-langchain/langgraph';
import type { Skillset, SkillState } from '@repertoire/skills-core';
import { scriptedModel, type ScriptedChatModel, type ScriptedChatModelCall } from '@repertoire/skills-testkit/langchain';
import {
  broughtTools,
  context,
  conversationOf,
  hostTools,
  reattach,
  runFork,
  type HostTool,
  type ParityVariant,
  type RequestContext,
} from '../conversation.ts';
import type { ModelCall, NeutralMessage } from '../record.ts';

/** The model's part of the whole conversation. */
export function conversationModel(variant: ParityVariant): ScriptedChatModel {
  const steps = conversationOf(variant).flatMap((event) => ('summary' in event ? [] : event.model));
  return scriptedModel(
    steps.map((step) =>
      typeof step === 'string' ? { text: step } : { toolCalls: step.map(([toolName, input]) => ({ toolName, input })) },
    ),
  );
}

/** What both hosts choose. */
export function langChainOptions(variant: ParityVariant): SkillsOptions<RequestContext> {
  return {
    tools: hostTools.map(langChainTool),
    context: () => context,
    reattach,
    ...(variant === 'extended' && { gate: 'hide', fork: runFork, toolSources: [localTools({ map: langChainBroughtTools })] }),
  };
}

function langChainTool({ name, description, inputSchema, run }: HostTool): StructuredToolInterface {
  return tool(async (input: unknown) => run(input as { order: string }), {
    name,
    description,
    schema: inputSchema as never,
  }) as unknown as StructuredToolInterface;
}

const langChainBroughtTools = Object.fromEntries(Object.entries(broughtTools).map(([path, given]) => [path, langChainTool(given)]));

/** The history behind a cut. */
export function cutMessages(messages: readonly BaseMessage[], summary: string, keepTurns: number): BaseMessage[] {
  const turns = messages.flatMap((message, index) => (HumanMessage.isInstance(message) ? [index] : []));
  return [new HumanMessage(summary), ...messages.slice(turns.at(-keepTurns))];
}

/** What the channel of the graph tells of the messages that a model reads: the state as the adapter itself reads it, with the texts that it puts back. */
export async function stateOf(
  skillset: Skillset<RequestContext>,
  channel: LoadedSkills | undefined,
  { kept, shown }: { readonly kept: readonly BaseMessage[]; readonly shown: readonly BaseMessage[] },
): Promise<SkillState> {
  const session = await skillset.open({ context });
  const loaded = Object.fromEntries(Object.entries(channel ?? {}).flatMap(([name, entry]) => (entry === null ? [] : [[name, entry]])));
  const back = await session.putBack([{ role: 'user', entries: transcriptOfMessages(kept) }], { ...reattach, kept: { loaded } });
  const events = back.flatMap((skill) => skill.events);
  const entries = transcriptOfMessages(shown, (text) => session.lengthOf(text));
  return structuredClone(session.state(entries, session.apply({ loaded }, events)));
}

export function callOf({ messages, tools }: ScriptedChatModelCall, state: SkillState): ModelCall {
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

/** Drops the envelope of LangChain: blocks of a content, ids, `status` and metadata. */
function neutral(message: BaseMessage): NeutralMessage[] {
  if (message.type === 'system') return [];
  if (ToolMessage.isInstance(message)) return [{ from: 'tool', tool: message.name ?? '', text: message.text }];
  if (!AIMessage.isInstance(message)) return [{ from: 'user', text: message.text }];
  return [{ from: 'model', text: message.text, calls: (message.tool_calls ?? []).map(({ name, args }) => ({ tool: name, input: args })) }];
}
