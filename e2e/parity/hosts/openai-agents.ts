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
import { emptySkillState, type SkillState } from '@repertoire/skills-core';
import type {
  AdapterConversation,
  AdapterMessage,
  AdapterModelStep,
  AdapterSetup,
  AdapterTool,
  GivenToModel,
  SkillAdapterUnderTest,
} from '@repertoire/skills-testkit/adapter';

setTracingDisabled(true);

/** An agent of the OpenAI Agents SDK; the server keeps the state. */
export const openAiAgentsAdapter: SkillAdapterUnderTest = { name: 'OpenAI Agents SDK', extended: true, converse };

function converse(setup: AdapterSetup): AdapterConversation {
  const { skillset, context, instructions, tools, gate, restore, fork, toolsOfSkills, history, state } = setup;
  const box = state === undefined ? undefined : { current: state };
  const map = Object.fromEntries(Object.entries(toolsOfSkills).map(([path, given]) => [path, agentTool(given)]));
  const skills = openAiAgentsSkills(skillset, {
    context: () => context,
    state: box === undefined ? undefined : () => box,
    gate,
    restore,
    fork,
    toolSources: [localTools({ map })],
  });
  const { callModelInputFilter } = skills;
  let items = history.flatMap(itemsOf);
  let count = 0;
  return {
    async ask(text) {
      items.push({ role: 'user', content: text });
      let runContext: RunContext | undefined;
      const answer = modelResponder(async ({ request }) => {
        const stateNow = async () => structuredClone(runContext === undefined ? emptySkillState : await skills.state(agent, runContext));
        return outputOf(await setup.model(givenOf(request, stateNow)), request, (count += 1));
      });
      const agent = skills.agent({
        name: 'support',
        instructions,
        model: new ScriptedModel(Array.from({ length: maxTurns }, () => answer)),
        tools: tools.map(agentTool),
      });
      agent.on('agent_start', (given) => {
        runContext = given;
      });
      const result = await run(agent, items, { maxTurns, context: {}, callModelInputFilter });
      items = [...result.history];
    },
    cut(summary, keepTurns) {
      const turns = items.flatMap((item, index) => ('role' in item && item.role === 'user' ? [index] : []));
      items = [{ role: 'user', content: summary }, ...items.slice(turns.at(-keepTurns))];
    },
  };
}

const maxTurns = 30;

function agentTool({ name, description, inputSchema, run: execute }: AdapterTool): FunctionTool {
  return tool({
    name,
    description,
    parameters: inputSchema as never,
    strict: false,
    execute: (input: unknown) => execute(input as Record<string, unknown>),
  });
}

/**
 * A call of a tool that is not shown ends a run of the SDK, so the model leaves it out, and calls
 * `ping` if no other call is left.
 */
function outputOf(step: AdapterModelStep, { tools }: Readonly<ModelRequest>, count: number) {
  if (typeof step === 'string') return [assistantMessage(step)];
  const shown = tools.map((given) => ('name' in given ? given.name : ''));
  const calls = step.filter(([name]) => shown.includes(name));
  return (calls.length === 0 ? [['ping', {}] as const] : calls).map(([name, input], index) =>
    functionCall(name, { ...input }, { callId: `call-${count}-${index}` }),
  );
}

function givenOf({ systemInstructions, input, tools }: Readonly<ModelRequest>, state: () => Promise<SkillState>): GivenToModel {
  return {
    system: systemInstructions ?? '',
    tools: tools.flatMap((given) =>
      given.type === 'function' ? [{ name: given.name, description: given.description, schema: JSON.stringify(given.parameters) }] : [],
    ),
    messages: messagesOf(typeof input === 'string' ? [{ role: 'user', content: input }] : input),
    state,
  };
}

/** Each result of a given history stands right behind the message that calls its tool. */
function itemsOf(message: AdapterMessage, index: number): AgentInputItem[] {
  if (message.from === 'user') return [{ role: 'user', content: message.text }];
  const status = 'completed';
  if (message.from === 'tool') {
    const output = { type: 'text' as const, text: message.text };
    return [{ type: 'function_call_result', callId: `said-${index}`, name: message.tool, status, output }];
  }
  return message.calls.map(({ tool: name, input }) => ({
    type: 'function_call',
    callId: `said-${index + 1}`,
    name,
    arguments: JSON.stringify(input),
    status,
  }));
}

/** What a model says and calls in one answer stands in several items. */
function messagesOf(items: readonly AgentInputItem[]): AdapterMessage[] {
  const messages: AdapterMessage[] = [];
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
