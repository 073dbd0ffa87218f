import {
  run,
  setTracingDisabled,
  tool,
  type AgentInputItem,
  type FunctionTool,
  type ModelRequest,
  type RunContext,
} from '@openai/agents-core';
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents-core/testing';
import { localTools, openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { emptySkillState, type SkillProvider, type SkillState } from '@repertoire/skills-core';
import {
  basePrompt,
  broughtTools,
  context,
  conversationOf,
  hostTools,
  paritySkillset,
  reattach,
  runFork,
  type HostTool,
  type ModelStep,
  type ParityVariant,
} from '../conversation.ts';
import type { ModelCall, NeutralMessage, ParityHost } from '../record.ts';

setTracingDisabled(true);

/** An agent of the OpenAI Agents SDK; the server keeps the state. */
export const openAiAgentsHost: ParityHost = { name: 'OpenAI Agents SDK', play };

async function play(provider: SkillProvider, variant: ParityVariant): Promise<readonly ModelCall[]> {
  const box = { current: emptySkillState };
  const skills = openAiAgentsSkills(paritySkillset(provider, variant), {
    context: () => context,
    state: () => box,
    reattach,
    ...(variant === 'extended' && { gate: 'hide', fork: runFork, toolSources: [localTools({ map: agentBroughtTools })] }),
  });
  const recorded: ModelCall[] = [];
  let runContext: RunContext | undefined;
  let count = 0;
  const conversation = conversationOf(variant);
  const model = new ScriptedModel(
    conversation
      .flatMap((event) => ('summary' in event ? [] : event.model))
      .map((step) =>
        modelResponder(async ({ request }) => {
          const state = runContext === undefined ? emptySkillState : await skills.state(agent, runContext);
          recorded.push(callOf(request, structuredClone(state)));
          return outputOf(step, (count += 1));
        }),
      ),
  );
  const agent = skills.agent({ name: 'support', instructions: basePrompt, model, tools: hostTools.map(agentTool) });
  agent.on('agent_start', (given) => {
    runContext = given;
  });
  const { callModelInputFilter } = skills;

  let history: AgentInputItem[] = [];
  for (const event of conversation) {
    if ('summary' in event) {
      const turns = history.flatMap((item, index) => ('role' in item && item.role === 'user' ? [index] : []));
      history = [{ role: 'user', content: event.summary }, ...history.slice(turns.at(-event.keepTurns))];
      continue;
    }
    history.push({ role: 'user', content: event.user });
    const result = await run(agent, history, { maxTurns: 30, context: {}, callModelInputFilter });
    history = [...result.history];
  }
  return recorded;
}

function agentTool({ name, description, inputSchema, run: execute }: HostTool): FunctionTool {
  return tool({
    name,
    description,
    parameters: inputSchema as never,
    strict: false,
    execute: (input: unknown) => execute(input as { order: string }),
  });
}

const agentBroughtTools = Object.fromEntries(Object.entries(broughtTools).map(([path, given]) => [path, agentTool(given)]));

function outputOf(step: ModelStep, count: number) {
  if (typeof step === 'string') return [assistantMessage(step)];
  return step.map(([name, input], index) => functionCall(name, input, { callId: `call-${count}-${index}` }));
}

function callOf({ systemInstructions, input, tools }: Readonly<ModelRequest>, state: SkillState): ModelCall {
  return {
    system: systemInstructions ?? '',
    tools: tools.flatMap((given) =>
      given.type === 'function' ? [{ name: given.name, description: given.description, schema: JSON.stringify(given.parameters) }] : [],
    ),
    messages: messagesOf(typeof input === 'string' ? [{ role: 'user', content: input }] : input),
    state,
  };
}

/** What a model says and calls in one answer stands in several items. */
function messagesOf(items: readonly AgentInputItem[]): NeutralMessage[] {
  const messages: NeutralMessage[] = [];
  for (const item of items) {
    const last = messages.at(-1);
    const before = last?.from === 'model' ? last : undefined;
    if (item.type === 'function_call') {
      const calls = [...(before?.calls ?? []), { tool: item.name, input: JSON.parse(item.arguments) as unknown }];
      if (before !== undefined) messages.pop();
      messages.push({ from: 'model', text: before?.text ?? '', calls });
    } else if (item.type === 'function_call_result') messages.push({ from: 'tool', tool: item.name, text: textOf(item.output) });
    else if ('role' in item && item.role === 'user') messages.push({ from: 'user', text: textOf(item.content) });
    else if ('role' in item && item.role === 'assistant') messages.push({ from: 'model', text: textOf(item.content), calls: [] });
  }
  return messages;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return String((value as { readonly text?: unknown }).text ?? '');
}
